import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import { MOST_EPOCHS, type WorktreeLease } from '../../plan/run/worktree';
import type { ClaimWorktreeInput } from '../../plan/run/worktree-activities';
import type { Step } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import { deferred } from '../../workflows/interpreter/scheduling/deferred';
import { NotStarted } from '../../workflows/run-context';
import { takes } from '../support/behaviours';
import { agent, approval, command, held } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { carry, ran, rerun, settle } from './carrying';

const own = (id: string, more: Partial<Step> = {}): Step => command(id, { worktree: {}, ...(more as object) });
const inThat = (id: string, of: string, more: object = {}): Step => command(id, { worktree: { of }, ...more });

function lease(slot: string, epoch = 1, more: Partial<WorktreeLease> = {}): WorktreeLease {
  return {
    ...{ slot, epoch, host: `host-${epoch}`, repository: '/repository', refsIn: 'repository', base: 'base', commit: 'base' },
    ...{ branch: `thermidor/${slot}`, silentMs: 1000, ...more },
  };
}

/** Leaves a commit that is named after the step. */
const works: StepBehaviour = ({ step, input: { worktree } }) => saved(worktree, `by-${step}`);

function saved(use: Seen['input']['worktree'], commit: string): StepOutput {
  return { artifact: artifact(commit), ...(use ? { worktree: { slot: use.slot, epoch: use.epoch, commit } } : {}) };
}

const called = ({ calls }: World, name: string) => calls.filter((call) => call.name === name);
const uses = ({ seen }: World, step: string) => seen.filter((one) => one.step === step).map(({ input }) => input.worktree);

describe('a step with a worktree', () => {
  it('works on the host that has made it, from what the step before has left there', async () => {
    const world = runPlan(planOf([own('build'), inThat('test', 'build'), own('other')]), { steps: { build: works, test: works } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(called(world, 'claimWorktree').map(({ input }) => (input as ClaimWorktreeInput).slot)).toEqual(['build', 'other']);
    expect(uses(world, 'build')).toEqual([{ slot: 'build', epoch: 1, commit: 'c'.repeat(40) }]);
    expect(uses(world, 'test')).toEqual([{ slot: 'build', epoch: 1, commit: 'by-build' }]);
    expect(
      called(world, 'command').map(({ options: { host, queue, scheduleToStartMs, heartbeatMs } }) => [
        host,
        queue,
        scheduleToStartMs,
        heartbeatMs,
      ]),
    ).toEqual(Array.from({ length: 3 }, () => ['host-1', undefined, 1000, 1000]));
    expect(world.step('test').worktree).toEqual({ slot: 'build', commit: 'by-test', host: 'host-1', branch: 'thermidor/build', epoch: 1 });
  });

  it('is claimed by a worker of its own queue, even if another step comes first', async () => {
    const skipped = own('build', { queue: 'gpu', when: { kind: 'literal', value: false } });
    const world = runPlan(planOf([skipped, inThat('test', 'build')]));
    await world.result;
    expect(called(world, 'claimWorktree').map(({ options }) => options.queue)).toEqual(['gpu']);
  });

  it('may be one of `finally`, on its own or with those before', async () => {
    const last: Plan['finally'] = { order: 'sequence', steps: [own('clean'), inThat('look', 'clean'), inThat('see', 'build')] };
    const world = runPlan(planOf([own('build')], { finally: last }));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(called(world, 'claimWorktree').map(({ input }) => (input as ClaimWorktreeInput).slot)).toEqual(['build', 'clean']);
    expect(called(world, 'closeWorktree')).toHaveLength(2);
  });

  it('has a worktree for each iteration of a loop, and one over all rounds of a repeat', async () => {
    const each: Step = {
      kind: 'for_each',
      id: 'each',
      items: { kind: 'literal', value: [] },
      block: { order: 'sequence', steps: [own('a')] },
    };
    const rounds: Step = {
      ...{
        kind: 'repeat',
        id: 'rounds',
        max: 2,
        roundVar: 'round',
        lastVar: 'last',
        until: { kind: 'literal', value: false },
        onExhausted: [{ kind: 'continue' }],
      },
      block: { order: 'sequence', steps: [own('b'), inThat('c', 'b')] },
    };
    const world = runPlan(planOf([each, rounds]), { lists: { each: [1, 2] } });
    await world.elapse();
    await world.result;
    expect(called(world, 'claimWorktree').map(({ input }) => (input as ClaimWorktreeInput).slot)).toEqual([
      'each[0]/a',
      'each[1]/a',
      'rounds/b',
    ]);
    expect(uses(world, 'c')).toHaveLength(2);
  });

  it('has in the journal what was changed there by nobody who was at work there, before a try and after the last', async () => {
    const found: StepBehaviour = ({ input: { worktree } }) => {
      const output = saved(worktree, 'mine');
      return { ...output, ...(output.worktree ? { worktree: { ...output.worktree, unattended: 'a.txt was changed' } } : {}) };
    };
    const world = runPlan(planOf([own('build')]), { steps: { build: found }, closed: { unattended: 'b.txt was changed' } });
    await world.result;
    const changed = world.journal().filter((entry) => entry.kind === 'worktree' && entry.event === 'changed');
    expect(changed).toMatchObject([
      { step: 'build', host: 'host-1', commit: 'mine', reason: 'a.txt was changed' },
      { step: 'build', host: 'host-1', commit: 'mine', reason: 'b.txt was changed' },
    ]);
  });

  it('leaves what it has done to the next try, even if it fails', async () => {
    let tries = 0;
    const fails: StepBehaviour = ({ input: { worktree } }) => {
      tries += 1;
      if (tries > 1 || !worktree) return saved(worktree, 'second');
      throw new ThermidorFailure('command.failed', 'red', null, undefined, {
        worktree: { slot: worktree.slot, epoch: 1, commit: 'first' },
      });
    };
    const world = runPlan(planOf([own('build', { retry: { max: 2 } })]), { steps: { build: fails } });
    await world.elapse();
    await world.result;
    expect(uses(world, 'build').map((use) => use?.commit)).toEqual(['c'.repeat(40), 'first']);
  });
});

describe('two steps of one worktree', () => {
  const sharing = planOf(
    [own('a'), inThat('b', 'a', { after: ['a'] }), inThat('c', 'a', { after: ['a'] }), own('d', { after: ['a'] })],
    {},
    'graph',
  );

  it('are there one after the other, and others next to them', async () => {
    const at = new Map<string, number>();
    const timed: StepBehaviour = async (seen) => {
      at.set(`${seen.step} begins`, seen.call.clock.now());
      const output = await takes(10)(seen);
      at.set(`${seen.step} ends`, seen.call.clock.now());
      return output;
    };
    const world = runPlan(sharing, { steps: { b: timed, c: timed, d: timed } });
    await world.elapse();
    await world.result;
    expect(at.get('c begins')).toBe(at.get('b ends'));
    expect(at.get('d begins')).toBe(at.get('b begins'));
  });

  it('do not keep each other waiting for a person', async () => {
    const asks = inThat('b', 'a', { after: ['a'], approval: {} });
    const plan = planOf([own('a'), asks, inThat('c', 'a', { after: ['a'] })], {}, 'graph');
    const world = await settle(runPlan(plan));
    expect(world.step('b').state).toBe('waiting');
    expect(world.step('c').state).toBe('done');
    world.signal('approve', { step: 'b' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('of which the one that waits is cancelled leave the worktree to the next', async () => {
    const held = deferred<StepOutput>();
    const branches = [inThat('b', 'a'), inThat('c', 'a'), command('first')];
    const race: Step = { kind: 'parallel', id: 'race', branches, join: 'any', onError: [{ kind: 'continue' }] } as Step;
    const world = runPlan(planOf([own('a'), race, inThat('e', 'a')]), { steps: { b: () => held.promise } });
    await settle(world);
    held.resolve({});
    await world.completes();
    expect(uses(world, 'e')).toHaveLength(1);
  });
});

describe('a host that takes up no work', () => {
  /** The first `times` calls of the step find no worker. */
  const notTaken = (times: number): StepBehaviour => {
    let calls = 0;
    return (seen) => {
      calls += 1;
      if (calls <= times) throw new NotStarted();
      return works(seen);
    };
  };

  it('keeps the worktree while it is alive, and is waited for longer each time', async () => {
    const world = runPlan(planOf([own('build')]), {
      steps: { build: notTaken(6) },
      claim: ({ input: { slot, held } }) => held ?? lease(slot),
    });
    await world.result;
    expect(called(world, 'command').map(({ options }) => options.scheduleToStartMs)).toEqual([
      1000, 2000, 4000, 8000, 16_000, 16_000, 16_000,
    ]);
    expect(uses(world, 'build').every((use) => use?.epoch === 1)).toBe(true);
  });

  it('loses it to another, which begins with what was pushed, and the journal says so', async () => {
    const world = runPlan(planOf([own('build'), inThat('test', 'build')]), {
      steps: { build: notTaken(1) },
      claim: ({ input: { slot, held } }) => (held ? lease(slot, held.epoch + 1, { commit: 'pushed' }) : lease(slot)),
    });
    await world.result;
    expect(uses(world, 'build').at(-1)).toEqual({ slot: 'build', epoch: 2, commit: 'pushed' });
    expect(called(world, 'command').map(({ options }) => options.host)).toEqual(['host-1', 'host-2', 'host-2']);
    expect(world.journal().filter(({ kind }) => kind === 'worktree')).toMatchObject([
      { event: 'made', host: 'host-1' },
      { event: 'moved', host: 'host-2', commit: 'pushed' },
    ]);
    expect(called(world, 'closeWorktree').map(({ options }) => options.host)).toEqual(['host-2']);
  });

  it('that finds itself that it has lost the worktree is left in the same way', async () => {
    let calls = 0;
    const world = runPlan(planOf([own('build')]), {
      steps: {
        build(seen) {
          calls += 1;
          if (calls === 1) throw new ThermidorFailure('worktree.lost', 'another host has it');
          return works(seen);
        },
      },
      claim: ({ input: { slot, held } }) => lease(slot, (held?.epoch ?? 0) + 1),
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('ends the step if nobody may take over any more', async () => {
    const world = runPlan(planOf([own('build')]), {
      steps: { build: notTaken(Number.POSITIVE_INFINITY) },
      claim({ input: { slot, held } }) {
        const epoch = (held?.epoch ?? 0) + 1;
        if (epoch > MOST_EPOCHS) throw new ThermidorFailure('worktree.unavailable', 'each host was lost');
        return lease(slot, epoch);
      },
    });
    await expect(world.result).rejects.toMatchObject({ code: 'worktree.unavailable' });
    expect(called(world, 'command')).toHaveLength(MOST_EPOCHS);
  });

  it('is no reason to fail the next try, which may lose as many hosts; nor are those of which the run never heard', async () => {
    let taken = 0;
    const world = runPlan(planOf([own('build', { ...held }), inThat('test', 'build')]), {
      steps: { build: notTaken(MOST_EPOCHS + 2), test: notTaken(MOST_EPOCHS - 1) },
      claim({ input: { slot, most = MOST_EPOCHS } }) {
        // The second claim is made on two hosts, of which the first is lost before it can answer.
        taken += taken === 1 ? 2 : 1;
        if (taken <= most) return lease(slot, taken);
        taken = most;
        throw new ThermidorFailure('worktree.unavailable', 'each host was lost', { slot, epochs: most });
      },
    });
    await world.settle();
    await world.update('retry', { step: 'build' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const most = called(world, 'claimWorktree').flatMap(({ input }) => (input as ClaimWorktreeInput).most ?? MOST_EPOCHS);
    // By default; by what was taken when it had failed; by the epochs with which the second try and the other step began.
    expect([...new Set(most)]).toEqual([6, 12, 5 + 6, 8 + 6]);
  });

  it('whose result comes late leaves the commit of the new host as it is', async () => {
    const world = runPlan(planOf([own('build'), inThat('test', 'build')]), {
      steps: { build: () => saved({ slot: 'build', epoch: 1, commit: '' }, 'late') },
      claim: ({ input: { slot } }) => lease(slot, 2, { commit: 'pushed' }),
    });
    await world.result;
    expect(uses(world, 'test')).toMatchObject([{ epoch: 2, commit: 'pushed' }]);
  });
});

describe('the end of a run', () => {
  const ends: [string, WorldOptions, (world: World) => void, string][] = [
    ['is done', {}, () => undefined, 'completed'],
    ['fails', { steps: { after: () => Promise.reject(new ThermidorFailure('command.failed', 'red')) } }, () => undefined, 'failed'],
    ['is cancelled', { steps: { after: () => new Promise(() => undefined) } }, (world) => world.cancel(), 'cancelled'],
  ];

  it.each(ends)('closes the worktrees of one that %s', async (_how, options, act, state) => {
    const world = runPlan(planOf([own('build'), command('after')]), options);
    await settle(world);
    act(world);
    await world.elapse();
    await world.result.catch(() => undefined);
    expect(world.status().state).toBe(state);
    expect(called(world, 'closeWorktree').map(({ options: { host, kept, scheduleToStartMs } }) => [host, kept, scheduleToStartMs])).toEqual(
      [['host-1', true, 1000]],
    );
  });

  it('is not held up by a host that is gone: the journal says what is left', async () => {
    const world = runPlan(planOf([own('build')]), {
      close() {
        throw new NotStarted();
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(
      world
        .journal()
        .filter((entry) => entry.kind === 'worktree')
        .at(-1),
    ).toMatchObject({ event: 'left', host: 'host-1', step: 'build' });
  });

  it('does nothing of the kind for a run without worktrees', async () => {
    const world = await ran(planOf([command('a'), agent('b')]));
    expect([...called(world, 'claimWorktree'), ...called(world, 'closeWorktree')]).toEqual([]);
  });
});

describe('in another execution', () => {
  it('a worktree stays where it is', async () => {
    const plan = planOf([own('a'), inThat('b', 'a'), approval('ask'), inThat('c', 'a')]);
    const world = runPlan(plan, { steps: { a: works, b: works }, activitiesPerExecution: 3 });
    await settle(world);
    world.signal('approve', { step: 'ask' });
    await world.elapse();
    await world.result;
    expect(world.executions).toBeGreaterThan(1);
    expect(called(world, 'claimWorktree')).toHaveLength(1);
    expect(uses(world, 'c')).toEqual([{ slot: 'a', epoch: 1, commit: 'by-b' }]);
  });
});

describe('a rerun', () => {
  const plan = planOf([own('a'), inThat('b', 'a'), inThat('c', 'a')]);
  const done: WorldOptions = { steps: { a: works, b: works, c: works } };

  it('begins with what the last step that is carried over had left in the worktree', async () => {
    const before = await ran(plan, done);
    const { carry: carried } = carry(before, 'c');
    const ref = 'refs/thermidor/run-1/a/1';
    expect(carried.worktrees).toEqual({
      a: {
        ...{ repository: '/repository', refsIn: 'repository', base: 'c'.repeat(40), commit: 'by-b', ref },
        madeIn: { workflowId: 'test-run', run: 'run-1', slot: 'a' },
      },
    });
    const world = rerun(plan, carried, done);
    await world.result;
    expect(called(world, 'claimWorktree').map(({ input }) => input)).toMatchObject([{ slot: 'a', carried: { commit: 'by-b', ref } }]);
  });

  it('of a rerun hands on what that one has not needed', async () => {
    const held = { ...plan, block: { ...plan.block, steps: [...plan.block.steps.slice(0, 2), approval('ask'), inThat('c', 'a')] } };
    const first = runPlan(held, done);
    await settle(first);
    first.signal('approve', { step: 'ask' });
    await first.result;
    const second = await settle(rerun(held, carry(first, 'ask').carry, done));
    expect(carry(second, 'ask').carry.worktrees).toMatchObject({ a: { commit: 'by-b', ref: 'refs/thermidor/run-1/a/1' } });
  });

  it('from the step that has the worktree makes a new one', async () => {
    const { carry: carried } = carry(await ran(plan, done), 'a');
    expect(carried.worktrees).toBeUndefined();
  });
});
