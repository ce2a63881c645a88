import { defined } from '../../plan/defined';
import type { TicketOutcome } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ClaimWorktreeInput } from '../../plan/run/worktree-activities';
import type { Step } from '../../plan/steps/step';
import { carry, rerun } from '../interpreter/carrying';
import { freshly } from '../interpreter/program';
import { need } from '../interpreter/spending';
import { command } from '../support/steps';
import { artifact, type StepBehaviour } from '../support/world';
import { chain, type Delivered, deliver, failsAt, MINUTE } from './increments-play';
import { later, settled, unique } from './played';

/** Whatever happens to a delivery, no attempt is made twice, nothing of a blocked increment stays, and kept work is never done again. */

const restored = ({ world }: Delivered): unknown[] =>
  world.calls.filter(({ name }) => name === 'restoreWorktree').map(({ input }) => (input as { to?: string }).to);

describe('a worker is lost', () => {
  it('CP-6 · worker killed · what an executor had been paid for counts when its time runs out', async () => {
    const delivered = deliver({
      tasks: chain(1),
      works: () => 'silence',
      recorded: (call) =>
        call.includes('executor')
          ? {
              artifact: artifact('paid'),
              values: { summary: 'done', blocked: null },
              worktree: { slot: 'deliver', epoch: 1, commit: 'base+paid' },
            }
          : undefined,
    });
    await delivered.world.completes();
    expect(delivered.world.lookedUp).toEqual(['deliver[1]/deliver_executor#1~1']);
    expect(delivered.output()).toMatchObject({ outcome: 'delivered' });
    expect(delivered.feedback('fix_required')).toEqual([]);
  });

  it('CP-6 · worker killed · a rollback that was not finished is done, on whatever host', async () => {
    let lost = 0;
    const delivered = deliver({
      tasks: chain(2),
      fails: failsAt('no_regression', '2.1'),
      claim: ({ input: { slot, held } }) => ({
        ...{ slot, epoch: (held?.epoch ?? 0) + 1, host: held ? 'host-2' : 'host-1', repository: '/repository', refsIn: 'repository' },
        // The last pushed commit, which has the attempt that must be rolled back.
        ...{ base: 'base', commit: held ? 'base+1.1+2.1' : 'base', branch: `thermidor/${slot}`, silentMs: 1000 },
      }),
      restore: () => {
        lost += 1;
        if (lost === 1) throw new ThermidorFailure('worktree.lost', 'its host is gone');
      },
    });
    await delivered.world.completes();
    expect(restored(delivered)).toEqual(['base+1.1', 'base+1.1']);
    expect(delivered.output()).toMatchObject({ outcome: 'delivered', commit: 'base+1.1+2.2' });
  });
});

describe('what comes late or twice', () => {
  it('CP-6 · late answer · an executor that answers after its time has delivered nothing', async () => {
    const delivered = deliver({
      tasks: chain(1),
      works: (_, attempt) => (attempt === 1 ? { after: 30 * MINUTE } : { after: 15 * MINUTE }),
    });
    await delivered.world.completes();
    expect(delivered.feedback('fix_required')).toMatchObject([{ data: { failed_gates: ['executor'] } }]);
    expect(delivered.feedback('increment_ready')).toHaveLength(1);
    unique(delivered);
  });

  it('CP-6 · duplicate · a task twice, or one that there is not, is a failure of the step before anything is done', async () => {
    for (const tasks of [[{ id: 'a' }, { id: 'a' }], [{ id: 'a', depends_on: ['b'] }], [], 'later']) {
      const delivered = deliver({ tasks });
      await expect(delivered.world.result).rejects.toMatchObject({ code: 'increments.plan' });
      expect(delivered.started()).toEqual([]);
      expect(delivered.world.calls.some(({ name }) => name === 'claimWorktree')).toBe(false);
    }
  });

  it('CP-6 · duplicate · tasks that wait for each other are a failure of their own', async () => {
    const delivered = deliver({
      tasks: [
        { id: 'a', depends_on: ['b'] },
        { id: 'b', depends_on: ['a'] },
      ],
    });
    await expect(delivered.world.result).rejects.toMatchObject({ code: 'increments.cycle' });
  });

  it('CP-6 · duplicate · a message that calls itself increment_ready is a message', async () => {
    const delivered = deliver({ tasks: chain(2), works: (n) => (n === 1 ? { after: MINUTE } : 'done') });
    await settled(delivered);
    delivered.world.signal('message', { to: 'deliver', type: 'increment_ready', from: 'coder', body: { increment: 'INCREMENT-2' } });
    await settled(delivered);
    expect(delivered.feedback('increment_ready')).toEqual([]);
    await delivered.world.elapse();
    await delivered.world.result;
    expect(delivered.started()).toHaveLength(8);
  });
});

describe('a run continues as new', () => {
  it.each([
    ['without a limit', undefined],
    ['with a limit that holds', 60 * MINUTE],
  ])('CP-6 · continue-as-new · wherever a run continues, the delivery comes to the same: %s', async (_, blockedAfterMs) => {
    const options = {
      tasks: chain(4),
      works: () => ({ after: MINUTE }),
      fails: failsAt('increment_tests_pass', '2.1', '4.*'),
      validates: (_: number, attempt: number) => (attempt === 3 ? 'revise' : 'pass') as 'pass' | 'revise',
      final: (commit: string) => !commit.includes('3.1'),
      step: { onBlocked: [{ kind: 'continue' as const }], ...defined({ blockedAfterMs }) },
    };
    const plain = deliver(options);
    await plain.world.completes();
    const fresh = freshly();
    const delivered = deliver({ ...options, historyIsFull: fresh.historyIsFull });
    await fresh.toTheEnd(delivered.world);
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(delivered.world.executions).toBeGreaterThan(4);
    unique(delivered);
    expect(delivered.output()).toEqual(plain.output());
    expect(delivered.output()).toMatchObject({ broken_by: 'INCREMENT-3', commit: 'base+1.1+2.1+2.2', completed: 2 });
    expect(delivered.feedback('progress').map(({ data }) => data)).toEqual(plain.feedback('progress').map(({ data }) => data));
    expect(restored(delivered)).toEqual(restored(plain));
  });

  it('CP-6 · continue-as-new · the view is what was kept', async () => {
    const fresh = freshly();
    const delivered = deliver({ tasks: chain(3), fails: failsAt('no_regression', '2.*'), historyIsFull: fresh.historyIsFull });
    await settled(delivered);
    await fresh.again(delivered.world);
    expect(delivered.world.executions).toBe(2);
    expect(delivered.world.step('deliver').delivery).toMatchObject({
      ...{ completed: 1, progress_percent: 33 },
      increments: [
        { id: 'INCREMENT-1', status: 'PASS', tasks: ['t1'] },
        { status: 'BLOCKED', attempts: 4, failed: ['no_regression'] },
        { status: 'BLOCKED', attempts: 0, blockedBy: 'INCREMENT-2' },
      ],
    });
  });
});

describe('a run that is stopped', () => {
  it('CP-6 · cancel · calls off who is at work, and says how far it was', async () => {
    const delivered = deliver({ tasks: chain(2), works: (n) => (n === 2 ? 'silence' : 'done') });
    await settled(delivered);
    delivered.world.cancel();
    await expect(delivered.world.result).rejects.toThrow();
    expect(delivered.world.status()).toMatchObject({ state: 'cancelled', gates: [] });
    expect(delivered.world.lookedUp).toEqual(['deliver[2]/deliver_executor#1~1']);
    expect(delivered.world.step('deliver').delivery).toMatchObject({ completed: 1 });
  });

  it('CP-6 · pause · begins nothing new meanwhile, and goes on where it was', async () => {
    const delivered = deliver({ tasks: chain(2), works: () => ({ after: MINUTE }) });
    await settled(delivered);
    delivered.world.signal('pause', { by: 'ops' });
    await delivered.world.elapse();
    expect(delivered.started()).toEqual(['1 executor']);
    delivered.world.signal('unpause', { by: 'ops' });
    await delivered.world.completes();
    expect(delivered.output()).toMatchObject({ outcome: 'delivered' });
    unique(delivered);
  });

  it('CP-6 · budget · an executor that is called off before it could ask for more leaves nothing behind', async () => {
    const lacking: StepBehaviour = (seen) => later(seen, MINUTE, () => need(500, seen.input));
    const { world } = deliver({ tasks: chain(1), more: { budget: { tokens: 100 } }, steps: { deliver_executor: lacking } });
    await world.settle();
    world.signal('pause', { by: 'ops' });
    await world.elapse();
    world.signal('unpause', { by: 'ops' });
    await world.settle();
    const shown = world.status().steps.map(({ address, state }) => `${address} ${state}`);
    expect(shown).toContain('deliver[2]/deliver_executor running');
    expect(shown).not.toContain('deliver[1]/deliver_executor pending');
  });

  it('CP-6 · budget · an executor that lacks budget waits at its gate, and nothing of its increment is lost', async () => {
    const lacking: StepBehaviour = ({ input }) => ({
      ...need(500, input),
      ...(input.budget?.tokens === 600
        ? { values: { summary: 'done', blocked: null }, worktree: { slot: 'deliver', epoch: 1, commit: 'base+1' } }
        : {}),
    });
    const delivered = deliver({ tasks: chain(1), more: { budget: { tokens: 100 } }, steps: { deliver_executor: lacking } });
    await settled(delivered);
    expect(delivered.world.status().gates).toMatchObject([{ kind: 'budget' }]);
    await delivered.world.update('extend_budget', { tokens: 600 });
    await settled(delivered);
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(delivered.output()).toMatchObject({ outcome: 'delivered', commit: 'base+1', gate_history: [{ attempts: 1 }] });
  });
});

describe('a step that runs again', () => {
  const away = new ThermidorFailure('repository.unusable', 'it is no repository');

  it('CP-6 · workflow · a further try continues with the increment that broke off, from where its attempt began', async () => {
    let broken = 0;
    const delivered = deliver({
      tasks: chain(2),
      works: (n) => {
        if (n === 1 || broken > 0) return 'done';
        broken += 1;
        return away;
      },
      step: { retry: { max: 2, backoff: 'fixed', delayMs: 0 } },
    });
    await delivered.world.completes();
    expect(delivered.started().filter((part) => part.endsWith('executor'))).toEqual(['1 executor', '2 executor', '3 executor']);
    expect(delivered.output()).toMatchObject({
      outcome: 'delivered',
      gate_history: [{ attempts: 1 }, { id: 'INCREMENT-2', attempts: 1 }],
    });
  });

  it('CP-6 · fallbacks · a person who asks for a revision has what was lost tried again, with their words', async () => {
    let mended = false;
    const delivered = deliver({ tasks: chain(2), fails: (gate, n) => gate === 'no_regression' && n === 1 && !mended });
    await settled(delivered);
    mended = true;
    delivered.world.signal('respond', { by: 'cfo', response: 'revise', comment: 'leave the old tables' });
    await settled(delivered);
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(delivered.assigned(5)).toMatchObject({ id: 'INCREMENT-1', attempt: 1, base_commit: 'base', asked_for: 'leave the old tables' });
    expect(delivered.output()).toMatchObject({ outcome: 'delivered', completed: 2 });
  });

  it('CP-6 · fallbacks · what a merge brings back is delivered on top of its branch', async () => {
    const land: Step = { kind: 'merge', id: 'land', from: ['deliver'], into: ['main'] };
    const offered: string[] = [];
    const delivered = deliver({
      tasks: chain(1),
      after: [land],
      submit: ({ input: { from } }) => {
        offered.push(from.commit);
        const outcome: TicketOutcome =
          offered.length === 1 ? { kind: 'conflict', onto: 'head-2', paths: ['a.txt'] } : { kind: 'merged', result: 'landed' };
        return { queue: 'queue:/repository#main', ticket: offered.length, outcome };
      },
    });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(offered).toEqual(['base+1.1', 'base+1.1+1.1']);
    const again = delivered.world.seen.filter(({ step }) => step === 'deliver_executor').at(-1);
    expect(again?.input.worktree).toMatchObject({ commit: 'base+1.1', onto: 'head-2' });
    expect(delivered.assigned(2)).toMatchObject({ attempt: 1, asked_for: expect.stringContaining('a.txt') });
  });

  const breaks: StepBehaviour = () => {
    throw new ThermidorFailure('command.failed', 'exit 1');
  };
  const claims = ({ world }: Delivered): ClaimWorktreeInput[] =>
    world.calls.filter(({ name }) => name === 'claimWorktree').map(({ input }) => input as ClaimWorktreeInput);
  const resumed: NonNullable<Parameters<typeof deliver>[0]>['claim'] = ({ input: { slot, carried } }) => ({
    ...{ slot, epoch: 1, host: 'host-1', repository: '/repository', refsIn: 'repository' },
    ...{ base: 'base', commit: carried?.commit ?? 'base', branch: `thermidor/${slot}`, silentMs: 1000 },
  });

  it('CP-6 · rerun from inside · the increment of that turn begins again; those before it stay', async () => {
    const before = deliver({ tasks: chain(3), steps: { after: breaks } });
    await expect(before.world.result).rejects.toThrow();
    const again = deliver({
      tasks: chain(3),
      claim: resumed,
      begin: (plan, options) => rerun(plan, carry(before.world, 'deliver[3]/deliver_no_regression').carry, options),
    });
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(claims(again)).toMatchObject([{ carried: { commit: 'base+1.1+2.1' } }]);
    expect(again.started()[0]).toBe('4 executor');
    expect(again.assigned(4)).toMatchObject({ id: 'INCREMENT-3', attempt: 1, base_commit: 'base+1.1+2.1' });
    expect(again.output()).toMatchObject({ outcome: 'delivered', commit: 'base+1.1+2.1+3.1', completed: 3 });
  });

  it('CP-6 · rerun from inside · one that had stopped tries again what was lost', async () => {
    const stops = { tasks: chain(3), step: { onBlocked: [{ kind: 'stop' as const }] } };
    const before = deliver({ ...stops, fails: failsAt('no_regression', '2.*') });
    await expect(before.world.result).rejects.toMatchObject({ code: 'increments.blocked' });
    const again = deliver({
      ...stops,
      claim: resumed,
      begin: (plan, options) => rerun(plan, carry(before.world, 'deliver').carry, options),
    });
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(again.started()[0]).toBe('6 executor');
    expect(again.output()).toMatchObject({ outcome: 'delivered', commit: 'base+1.1+2.1+3.1' });
  });

  it('CP-6 · rerun from inside · one that is done is carried whole, and a merge takes what it has left', async () => {
    const before = deliver({ tasks: chain(1), steps: { after: breaks } });
    await expect(before.world.result).rejects.toThrow();
    const again = deliver({
      tasks: chain(1),
      begin: (plan, options) => rerun(plan, carry(before.world, 'after').carry, options),
      after: [command('after')],
    });
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(again.started()).toEqual([]);
    expect(again.world.step('deliver')).toMatchObject({ delivery: { completed: 1 }, worktree: { slot: 'deliver', commit: 'base+1.1' } });
  });
});
