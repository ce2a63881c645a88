import type { IncrementGate } from '../../kinds/increments/rules/words';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Step } from '../../plan/steps/step';
import { artifact, type StepBehaviour } from '../support/world';
import { chain, type Delivered, type DeliveryOptions, deliver, failsAt, MINUTE, type Work } from './increments-play';
import { settled } from './played';

describe('a plan in increments', () => {
  it('CP-6 · workflow · executor, then its gates, then the next increment on top of it', async () => {
    const delivered = deliver({ tasks: chain(2) });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(delivered.started()).toEqual([
      ...['1 executor', '1 syntax_clean', '1 no_regression', '1 increment_tests_pass'],
      ...['2 executor', '2 syntax_clean', '2 no_regression', '2 increment_tests_pass'],
    ]);
    expect(delivered.output()).toMatchObject({
      ...{ outcome: 'delivered', completed: 2, total_increments: 2, progress_percent: 100, base: 'base', commit: 'base+1.1+2.1', lost: [] },
      kept: [
        { id: 'INCREMENT-1', tasks: ['t1'], commit: 'base+1.1' },
        { id: 'INCREMENT-2', tasks: ['t2'], commit: 'base+1.1+2.1' },
      ],
    });
    expect(delivered.assigned(2)).toEqual({
      ...{ id: 'INCREMENT-2', number: 2, of: 2, attempt: 1, base_commit: 'base+1.1', delivered: ['INCREMENT-1'] },
      tasks: [{ id: 't2', title: 'task 2', depends_on: ['t1'] }],
    });
  });

  it('CP-6 · workflow · an increment that is ready, and how far the plan is, are signals in the journal', async () => {
    const delivered = deliver({ tasks: chain(2), fails: failsAt('syntax_clean', '2.1') });
    await delivered.world.result;
    expect(delivered.feedback('increment_ready').map(({ data }) => data)).toEqual([
      { increment: 'INCREMENT-1', status: 'PASS' },
      { increment: 'INCREMENT-2', status: 'PASS' },
    ]);
    expect(delivered.feedback('progress').map(({ data }) => data)).toContainEqual({
      ...{ total_increments: 2, completed: 1, current: 2, progress_percent: 50 },
      gate_history: [
        { id: 'INCREMENT-1', attempts: 1, status: 'PASS' },
        { id: 'INCREMENT-2', attempts: 2, status: 'IN_PROGRESS' },
      ],
    });
    expect(delivered.feedback('progress').at(-1)?.data).toEqual({
      ...{ total_increments: 2, completed: 2, progress_percent: 100 },
      gate_history: [
        { id: 'INCREMENT-1', attempts: 1, status: 'PASS' },
        { id: 'INCREMENT-2', attempts: 2, status: 'PASS' },
      ],
    });
  });

  it('CP-6 · success · every gate, then the validation of the whole', async () => {
    const delivered = deliver({ tasks: chain(1), final: (commit) => commit === 'base+1.1' });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(delivered.started().at(-1)).toBe('2 final');
    expect(delivered.output()).toMatchObject({ outcome: 'delivered', commit: 'base+1.1' });
  });

  it('CP-6 · roles · a validator judges what the gates let through, and its findings go to the executor', async () => {
    const delivered = deliver({ tasks: chain(1), validates: (_, attempt) => (attempt === 1 ? 'revise' : 'pass') });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(delivered.feedback('fix_required')).toMatchObject([
      {
        to: 'coder',
        data: { increment: 'INCREMENT-1', failed_gates: ['validator'], affected_files: ['src/b.ts'], suggestion: 'keep the last' },
      },
    ]);
    expect(delivered.assigned(2)).toMatchObject({ attempt: 2, review: { findings: { high: [{ file: 'src/b.ts' }] } } });
    expect(delivered.output()).toMatchObject({ commit: 'base+1.1+1.2' });
  });

  it('CP-6 · roles · what a validator changes is not kept', async () => {
    const meddles: StepBehaviour = ({ input, call }) => ({
      artifact: artifact(`m-${call.options.address}`),
      values: { verdict: 'pass', suggestion: null, findings: null },
      worktree: { slot: 'deliver', epoch: 1, commit: `${input.worktree?.commit}+meddled` },
    });
    const delivered = deliver({ tasks: chain(2), validates: () => 'pass', steps: { deliver_validator: meddles } });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(delivered.output()).toMatchObject({ outcome: 'delivered', commit: 'base+1.1+2.1' });
    expect(delivered.assigned(2)).toMatchObject({ base_commit: 'base+1.1' });
  });

  it('CP-6 · roles · a validator alone is a gate', async () => {
    const delivered = deliver({ tasks: chain(1), gates: [], validates: () => 'pass' });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(delivered.started()).toEqual(['1 executor', '1 validator']);
  });
});

describe('an increment that does not pass', () => {
  it('CP-6 · fallbacks · syntax is repaired where it is, and no gate after it is asked', async () => {
    const delivered = deliver({ tasks: chain(1), fails: failsAt('syntax_clean', '1.1') });
    await delivered.world.result;
    expect(delivered.started().slice(0, 3)).toEqual(['1 executor', '1 syntax_clean', '2 executor']);
    expect(delivered.assigned(2)).toMatchObject({
      base_commit: 'base+1.1',
      fix: { rolled_back: false, affected_files: ['src/a.ts'], failed_gates: [{ gate: 'syntax_clean', output: 'src/a.ts(3,1): wrong' }] },
    });
    expect(delivered.output()).toMatchObject({ commit: 'base+1.1+1.2' });
  });

  it('CP-6 · fallbacks · a regression is rolled back, and the increment done again', async () => {
    const delivered = deliver({ tasks: chain(2), fails: failsAt('no_regression', '2.1') });
    await delivered.world.result;
    expect(delivered.assigned(3)).toMatchObject({ base_commit: 'base+1.1', fix: { rolled_back: true, earlier_commit: 'base+1.1+2.1' } });
    expect(delivered.output()).toMatchObject({ outcome: 'delivered', commit: 'base+1.1+2.2' });
    expect(delivered.world.journal()).toContainEqual(expect.objectContaining({ kind: 'worktree', event: 'restored', commit: 'base+1.1' }));
  });

  it('CP-6 · fallbacks · if its own tests fail, the validator says why, and the executor puts it right', async () => {
    const fails = failsAt('increment_tests_pass', '1.1');
    const delivered = deliver({ tasks: chain(1), fails, validates: (_, attempt) => (attempt === 1 ? 'revise' : 'pass') });
    await delivered.world.result;
    expect(delivered.feedback('fix_required')[0]?.data).toMatchObject({ failed_gates: ['increment_tests_pass', 'validator'] });
    expect(delivered.output()).toMatchObject({ commit: 'base+1.1+1.2' });
  });

  it('CP-6 · fallbacks · after three fixes it is rolled back and blocked, with what depends on it', async () => {
    const delivered = deliver({ tasks: chain(4), fails: failsAt('increment_tests_pass', '3.*') });
    await accepted(delivered);
    expect(delivered.output()).toMatchObject({
      ...{ outcome: 'partial', completed: 2, progress_percent: 50, commit: 'base+1.1+2.1' },
      lost: [
        { id: 'INCREMENT-3', status: 'BLOCKED', failed_gates: ['increment_tests_pass'] },
        { id: 'INCREMENT-4', status: 'BLOCKED', blocked_by: 'INCREMENT-3' },
      ],
    });
    expect(delivered.feedback('progress').at(-1)?.data.gate_history).toContainEqual({ id: 'INCREMENT-3', attempts: 4, status: 'BLOCKED' });
    expect(delivered.feedback('fix_required')).toHaveLength(3);
    expect(delivered.world.calls.filter(({ name }) => name === 'restoreWorktree').map(({ input }) => input)).toMatchObject([
      { to: 'base+1.1+2.1' },
    ]);
  });

  it('CP-6 · fallbacks · a task that cannot be done is left out, with what depends on it, and everything else goes on', async () => {
    const tasks = [
      ...[{ id: 'a' }, { id: 'b' }, { id: 'a2', depends_on: ['a'] }, { id: 'b2', depends_on: ['b'] }],
      { id: 'both', depends_on: ['a2', 'b2'] },
    ];
    const delivered = deliver({ tasks, works: (increment) => (increment === 1 ? { blocked: ['a'] } : 'done') });
    await accepted(delivered);
    expect(delivered.assigned(2)).toMatchObject({ id: 'INCREMENT-2', tasks: [{ id: 'b2' }] });
    expect(delivered.output()).toMatchObject({
      ...{ outcome: 'partial', completed: 2, left_out: ['a', 'a2'] },
      kept: [
        { id: 'INCREMENT-1', tasks: ['b'] },
        { id: 'INCREMENT-2', tasks: ['b2'] },
      ],
      lost: [{ id: 'INCREMENT-3', status: 'BLOCKED', blocked_by: 'INCREMENT-1' }],
    });
  });

  it('CP-6 · fallbacks · of an increment that does not pass each task is tried alone, and only what depends on those to blame is lost', async () => {
    const tasks = [{ id: 'a' }, { id: 'b' }, { id: 'a2', depends_on: ['a'] }, { id: 'b2', depends_on: ['b'] }];
    // Both together fail four times; then `a` passes, `b` fails four times, and `a2` passes.
    let asked = 0;
    const fails = (gate: IncrementGate) => gate === 'increment_tests_pass' && ![5, 10].includes(++asked);
    const delivered = deliver({ tasks, fails, step: { onBlocked: [{ kind: 'continue' }] } });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(delivered.world.journal()).toContainEqual(
      expect.objectContaining({
        kind: 'step',
        reason: 'INCREMENT-1 is rolled back and its tasks are tried one by one: increment_tests_pass',
      }),
    );
    expect(delivered.output()).toMatchObject({
      kept: [
        { id: 'INCREMENT-1.1', tasks: ['a'] },
        { id: 'INCREMENT-2', tasks: ['a2'] },
      ],
      lost: [{ id: 'INCREMENT-1.2', tasks: ['b'], status: 'BLOCKED' }],
      left_out: ['b2'],
    });
  });

  it('CP-6 · fallbacks · more than half blocked stops it, and a person decides, who sees what is delivered', async () => {
    const delivered = deliver({ tasks: chain(3), fails: failsAt('no_regression', '2.*') });
    await settled(delivered);
    expect(delivered.world.status().gates).toMatchObject([{ step: 'deliver', kind: 'escalation' }]);
    expect(delivered.output()).toMatchObject({ outcome: 'stopped', completed: 1, commit: 'base+1.1' });
    delivered.world.signal('approve', { by: 'cfo', comment: 'the first will do' });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('CP-6 · fallbacks · with stop it fails with a code of its own', async () => {
    const delivered = deliver({ tasks: chain(1), fails: failsAt('no_regression', '1.*'), step: { onBlocked: [{ kind: 'stop' }] } });
    await expect(delivered.world.result).rejects.toMatchObject({ code: 'increments.blocked' });
  });

  it('CP-6 · fallbacks · the validation of the whole reverts increments one by one, and names the first that breaks it', async () => {
    const delivered = deliver({ tasks: chain(4), final: (commit) => !commit.includes('3.1') });
    await accepted(delivered);
    expect(delivered.started().filter((part) => part.endsWith('final'))).toHaveLength(3);
    expect(delivered.output()).toMatchObject({
      ...{ outcome: 'partial', broken_by: 'INCREMENT-3', commit: 'base+1.1+2.1', completed: 2 },
      lost: [
        { id: 'INCREMENT-3', status: 'REVERTED' },
        { id: 'INCREMENT-4', status: 'REVERTED' },
      ],
    });
  });

  it('CP-6 · fallbacks · if it fails without any of them, none is to blame, and all stay', async () => {
    const delivered = deliver({ tasks: chain(2), final: () => false, step: { onBlocked: [{ kind: 'stop' }] } });
    await expect(delivered.world.result).rejects.toMatchObject({ code: 'increments.final' });
    expect(delivered.output()).toMatchObject({ outcome: 'unfounded', completed: 2, commit: 'base+1.1+2.1' });
  });
});

/** A person is asked before anything after the step begins, and accepts the partial result. */
async function accepted(delivered: Delivered): Promise<void> {
  await settled(delivered);
  expect(delivered.world.status().gates).toMatchObject([{ step: 'deliver', kind: 'escalation' }]);
  expect(delivered.world.order()).not.toContain('after#1~1');
  delivered.world.signal('approve', { by: 'cfo' });
  await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
}

describe('a delivery that is not whole', () => {
  const partly = {
    ...{ 'an increment is blocked': { tasks: chain(3), fails: failsAt('no_regression', '3.*') } },
    'a task cannot be done': {
      tasks: [{ id: 'a' }, { id: 'b' }],
      works: (_: number, attempt: number) => (attempt === 1 ? { blocked: ['a'] } : 'done') as Work,
    },
    'the whole fails with an increment': { tasks: chain(2), final: (commit: string) => !commit.includes('2.1') },
    'more is lost than it may be': { tasks: chain(3), fails: failsAt('no_regression', '2.*') },
    'all may be lost': { tasks: chain(1), fails: failsAt('no_regression', '1.*'), step: { blockedShare: { share: [1, 1] as const } } },
  } satisfies Record<string, DeliveryOptions>;
  const land: Step = { kind: 'merge', id: 'land', from: ['deliver'], into: ['main'] };
  const landing = (options: DeliveryOptions) => {
    const offered: string[] = [];
    const delivered = deliver({
      ...options,
      after: [land],
      submit: ({ input: { from } }) => {
        offered.push(from.commit);
        return { queue: 'queue:/repository#main', ticket: 1, outcome: { kind: 'merged', result: 'landed' } };
      },
    });
    return { ...delivered, offered };
  };

  it.each(Object.entries(partly))('CP-6 · success · nothing lands before a person has accepted what is missing: %s', async (_, options) => {
    const delivered = landing(options);
    await settled(delivered);
    expect(delivered.world.status().gates).toMatchObject([
      { step: 'deliver', kind: 'escalation', choices: ['approve', 'revise', 'reject'] },
    ]);
    expect(delivered.offered).toEqual([]);
    delivered.world.signal('approve', { by: 'cfo' });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(delivered.output()).not.toMatchObject({ outcome: 'delivered' });
  });

  it.each(Object.entries(partly))('CP-6 · success · nothing lands if a person does not accept what is missing: %s', async (_, options) => {
    const delivered = landing(options);
    await settled(delivered);
    delivered.world.signal('reject', { by: 'cfo', comment: 'all or nothing' });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'rejected' });
    expect(delivered.offered).toEqual([]);
  });

  it('CP-6 · success · the person sees what is not delivered, and why', async () => {
    const delivered = deliver(partly['an increment is blocked']);
    await settled(delivered);
    const asked = delivered.world.calls.filter(({ name }) => name === 'gate').map(({ input }) => JSON.stringify(input));
    expect(asked).toEqual([
      expect.stringContaining('2 of 3 increments are delivered, without INCREMENT-3; INCREMENT-3 fails no_regression'),
    ]);
  });

  it('CP-6 · fallbacks · what waited for a lost task is done once that is, and not taken for delivered', async () => {
    let able = false;
    const tasks = [{ id: 'a' }, { id: 'b' }, { id: 'x', depends_on: ['a'] }, { id: 'y', depends_on: ['b'] }];
    let tests = 0;
    // Both together fail, then `a` alone; `b` and `y` pass.
    const fails = (gate: IncrementGate) => gate === 'increment_tests_pass' && !able && ++tests <= 2;
    const delivered = deliver({ tasks, fails, step: { fixes: 0, onBlocked: [{ kind: 'hold' }] } });
    await settled(delivered);
    able = true;
    delivered.world.signal('retry', { step: 'deliver' });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect([5, 6].map((turn) => delivered.assigned(turn))).toMatchObject([
      { id: 'INCREMENT-1.1', tasks: [{ id: 'a' }] },
      { id: 'INCREMENT-2.1', tasks: [{ id: 'x' }] },
    ]);
    expect(delivered.output()).toMatchObject({
      outcome: 'delivered',
      left_out: [],
      kept: expect.arrayContaining([expect.objectContaining({ tasks: ['x'] })]),
    });
  });

  it('CP-6 · fallbacks · a task that was left out is tried again by an operator’s retry, on top of what is there', async () => {
    let able = false;
    const works = (): Work => (able ? 'done' : { blocked: ['a'] });
    const delivered = deliver({ tasks: [{ id: 'a' }, { id: 'b' }], works, step: { onBlocked: [{ kind: 'hold' }] } });
    await settled(delivered);
    able = true;
    delivered.world.signal('retry', { step: 'deliver' });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(delivered.assigned(2)).toMatchObject({ base_commit: 'base+1.1', tasks: [{ id: 'a' }, { id: 'b' }] });
    expect(delivered.output()).toMatchObject({ outcome: 'delivered' });
  });
});

describe('time', () => {
  it('CP-6 · time-out · an executor has as many times `task_timeout` as it has tasks', async () => {
    const tasks = [{ id: 'a' }, { id: 'b' }];
    const delivered = deliver({ tasks, works: (_, attempt) => (attempt === 1 ? 'silence' : { after: 39 * MINUTE }) });
    const start = delivered.world.clock.now();
    await delivered.world.completes();
    expect(delivered.feedback('fix_required')).toMatchObject([{ data: { failed_gates: ['executor'] } }]);
    expect(delivered.world.clock.now() - start).toBe(79 * MINUTE);
    expect(delivered.started().slice(0, 2)).toEqual(['1 executor', '2 executor']);
  });

  it('CP-6 · silence/abstention · a validator that says nothing has not let it pass, and is asked again', async () => {
    const delivered = deliver({ tasks: chain(1), validates: (_, attempt) => (attempt === 1 ? 'silence' : 'pass') });
    await delivered.world.completes();
    expect(delivered.feedback('fix_required')).toMatchObject([{ data: { failed_gates: ['validator'] } }]);
  });

  it('CP-6 · silence/abstention · an executor that never ends is blocked in the end', async () => {
    const delivered = deliver({ tasks: chain(2), works: (n) => (n === 2 ? 'silence' : 'done'), step: { onBlocked: [{ kind: 'stop' }] } });
    await delivered.world.elapse();
    await expect(delivered.world.result).rejects.toMatchObject({ code: 'increments.blocked' });
    expect(delivered.output()).toMatchObject({ outcome: 'partial', commit: 'base+1.1', lost: [{ failed_gates: ['executor'] }] });
    // The worktree is restored, because nobody knows what the executor has left in it.
    expect(delivered.world.calls.filter(({ name }) => name === 'restoreWorktree').map(({ input }) => input)).toMatchObject([
      { to: 'base+1.1' },
    ]);
  });

  it('CP-6 · fallbacks · an executor that fails of its own has failed the attempt; what no executor can help is the step’s failure', async () => {
    const own = new ThermidorFailure('agent.stuck', 'it goes in circles');
    const delivered = deliver({ tasks: chain(1), works: (_, attempt) => (attempt === 1 ? own : 'done') });
    await expect(delivered.world.result).resolves.toMatchObject({ status: 'completed' });
    const away = new ThermidorFailure('repository.unusable', 'it is no repository');
    const broken = deliver({ tasks: chain(1), works: () => away });
    await expect(broken.world.result).rejects.toMatchObject({ code: 'repository.unusable' });
  });
});
