import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { RunView } from '../../plan/run/status';
import type { Step } from '../../plan/steps/step';
import { approval, command, group, input, parallel, pipeline } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World, type WorldOptions } from '../support/world';

const CHILD = 'release';
const child = (steps: Parameters<typeof planOf>[0]) => planOf(steps, { name: CHILD });
const parent = (steps: Parameters<typeof planOf>[0], children: ReturnType<typeof child>, more: WorldOptions = {}) =>
  runPlan(planOf(steps), { children: { [CHILD]: children }, ...more });

test('a child pipeline runs as a workflow of its own and its output becomes the step’s', async () => {
  const world = parent([pipeline('deploy', CHILD), command('end')], child([command('build')]));
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect([...world.children.keys()]).toEqual(['test-run.deploy']);
  expect(world.order()).toEqual(['build#1~1', 'end#1~1']);
  expect(world.composed['deploy#1~1/compose']).toEqual({ kind: 'artifact', artifact: artifact('build-1-1') });
});

test('a child in a branch has an id of its own', async () => {
  const plan = [parallel('both', [pipeline('one', CHILD), pipeline('two', CHILD)])];
  const world = parent(plan, child([command('build')]));
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect([...world.children.keys()]).toEqual(['test-run.both@0.one', 'test-run.both@1.two']);
});

describe('a gate within a child', () => {
  it('is seen and answered at the parent', async () => {
    const world = parent([pipeline('deploy', CHILD)], child([approval('ask')]));
    await world.settle();
    expect(world.status()).toMatchObject({ state: 'waiting', gates: [{ step: 'deploy/ask', question: 'Approve?' }] });
    expect(world.published.memo?.gates).toMatchObject([{ step: 'deploy/ask' }]);
    await world.update('approve', { by: 'chairman' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const run = world.children.get('test-run.deploy');
    expect(run?.query('status')).toMatchObject({ steps: [{ decision: { choice: 'approve', by: 'chairman' } }] });
  });

  it('may be answered at the child itself', async () => {
    const world = parent([pipeline('deploy', CHILD)], child([approval('ask')]));
    await world.settle();
    world.children.get('test-run.deploy')?.signal('approve', { by: 'chairman' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('takes one of two answers that come at once', async () => {
    const world = parent([pipeline('deploy', CHILD)], child([approval('ask'), command('next')]));
    await world.settle();
    await world.update('approve', { step: 'deploy/ask', by: 'ann' });
    await expect(world.update('reject', { step: 'deploy/ask', by: 'bob' })).rejects.toMatchObject({ name: 'UpdateRefused' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('rejects the parent if it is rejected', async () => {
    const world = parent([pipeline('deploy', CHILD), command('never')], child([approval('ask')]));
    await world.settle();
    world.signal('reject', { by: 'chairman' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected', reason: 'ask was rejected by chairman' });
  });

  it('is not shown again while its answer is being checked', async () => {
    const never = new Promise<void>(() => undefined);
    const world = parent([pipeline('deploy', CHILD)], child([input('ask')]), { whileChecking: () => never });
    await world.settle();
    await world.update('respond', { step: 'deploy/ask', by: 'ann', response: { size: 1 } });
    await world.settle();
    expect(world.status()).toMatchObject({ state: 'running', gates: [] });
  });

  it('is shown again once its answer is refused', async () => {
    const world = parent([pipeline('deploy', CHILD)], child([input('ask')]), { problems: () => ['size: too large'] });
    await world.settle();
    await world.update('respond', { step: 'deploy/ask', by: 'ann', response: { size: 1 } });
    await world.settle();
    expect(world.status()).toMatchObject({ state: 'waiting', gates: [{ step: 'deploy/ask' }] });
  });

  it('two levels down is seen at the top', async () => {
    const top = planOf([pipeline('outer', 'middle')]);
    const world = runPlan(top, {
      children: { middle: planOf([pipeline('inner', CHILD)], { name: 'middle' }), [CHILD]: child([approval('ask')]) },
    });
    await world.settle();
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'outer/inner/ask' }]);
    await world.update('approve', { step: 'outer/inner/ask' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

test('a child that fails fails its step, and another try starts another child', async () => {
  let builds = 0;
  const world = parent([pipeline('deploy', CHILD, { retry: { max: 2, delayMs: 1 } })], child([command('build')]), {
    steps: {
      build: () => {
        builds += 1;
        if (builds === 1) throw new ThermidorFailure('command.failed', 'exit 1');
        return {};
      },
    },
  });
  await world.completes();
  expect([...world.children.keys()]).toEqual(['test-run.deploy', 'test-run.deploy.t2']);
});

test('a child’s failure names its code and where it happened', async () => {
  const world = parent([pipeline('deploy', CHILD)], child([command('build')]), {
    steps: {
      build: () => {
        throw new ThermidorFailure('command.failed', 'exit 1');
      },
    },
  });
  await expect(world.result).rejects.toMatchObject({
    code: 'child.failed',
    details: { step: 'deploy' },
    message: expect.stringContaining('command.failed'),
  });
});

test('cancelling the parent cancels its children, and waits for them', async () => {
  const world = parent([pipeline('deploy', CHILD)], child([command('build')]), {
    steps: { build: () => new Promise(() => undefined) },
  });
  await world.settle();
  world.cancel();
  await world.elapse();
  await expect(world.result).rejects.toMatchObject({ name: 'Cancelled' });
  await expect(world.children.get('test-run.deploy')?.result).rejects.toMatchObject({ name: 'Cancelled' });
});

describe('why a child is cancelled', () => {
  const hangs = { steps: { build: () => new Promise<never>(() => undefined) } };
  const whyOf = (world: World, of?: string) => {
    const { state, reason } = (of === undefined ? world : world.children.get(of)!).query('status') as RunView;
    const last = world.journal(of).findLast(({ kind }) => kind === 'run');
    expect(last).toMatchObject({ state, ...(reason === undefined ? {} : { reason }) });
    return [state, reason];
  };

  const cleansUp = { finally: { order: 'sequence' as const, steps: [command('clean')] } };
  it.each<[string, string | undefined, Partial<Plan>]>([
    ['with a reason', 'by ops: wrong day', {}],
    ['without one', undefined, {}],
    ['with a reason, and it cleans up', 'by ops: wrong day', cleansUp],
  ])('is what its parent is cancelled for, at every depth: %s', async (_, reason, more) => {
    const children = { middle: planOf([pipeline('inner', CHILD)], { name: 'middle' }), [CHILD]: child([command('build')]) };
    const world = runPlan(planOf([pipeline('outer', 'middle')], more), { children, ...hangs });
    for (let i = 0; i < 3; i++) await world.settle();
    world.cancel(reason);
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ name: 'Cancelled' });
    for (const run of [undefined, 'test-run.outer', 'test-run.outer.inner']) expect(whyOf(world, run)).toEqual(['cancelled', reason]);
  });

  const fails: StepBehaviour = ({ call }) =>
    new Promise((_, reject) => call.clock.after(1000, () => reject(new ThermidorFailure('command.failed', 'exit 1'))));
  const deploy = pipeline('deploy', CHILD);
  it.each<[string, Step[], string]>([
    ['its step takes too long', [pipeline('deploy', CHILD, { timeoutMs: 60_000 })], 'it did not end within its time'],
    ['another branch suffices', [parallel('both', [deploy, command('quick')], { wait: 'any' })], 'the others sufficed'],
    ['a group of its own takes too long', [{ ...group('all', [deploy]), timeoutMs: 60_000 }], 'the time of the step around it ran out'],
    ['its parent fails', [deploy, command('wrong')], 'test-run failed: exit 1'],
    ['its parent is rejected', [deploy, approval('ask')], 'test-run was rejected: ask was rejected by ann'],
  ])('is what has become of its step or its parent: %s', async (_, steps, reason) => {
    const children = { [CHILD]: child([command('build')]) };
    const world = runPlan(planOf(steps, {}, 'graph'), { children, steps: { ...hangs.steps, wrong: fails } });
    await world.settle();
    world.signal('reject', { by: 'ann' });
    await world.elapse();
    await world.result.catch(() => undefined);
    const [run = ''] = world.children.keys();
    expect(whyOf(world, run)).toEqual(['cancelled', reason]);
  });
});

test('a child that takes too long is cancelled', async () => {
  const world = parent([pipeline('deploy', CHILD, { timeoutMs: 60_000 })], child([command('build')]), {
    steps: { build: () => new Promise(() => undefined) },
  });
  await world.elapse();
  await expect(world.result).rejects.toMatchObject({ code: 'step.timeout' });
  await expect(world.children.get('test-run.deploy')?.result).rejects.toMatchObject({ name: 'Cancelled' });
});

test('a child outlives the execution of its parent that started it', async () => {
  const steps = [command('a'), pipeline('deploy', CHILD), command('b')];
  const world = parent(steps, child([command('build'), approval('ask'), command('ship')]), { activitiesPerExecution: 3 });
  await world.settle();
  await world.settle();
  await world.update('approve', { by: 'chairman' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.executions).toBeGreaterThan(1);
  expect(world.order()).toEqual(['a#1~1', 'build#1~1', 'ship#1~1', 'b#1~1']);
});

test('a gate in a child that wants two people takes both at the parent', async () => {
  const world = parent([pipeline('deploy', CHILD)], child([approval('ask', { quorum: 2 })]));
  await world.settle();
  await world.update('approve', { by: 'ann' });
  await world.settle();
  expect(world.status().gates).toMatchObject([{ step: 'deploy/ask', approvedBy: ['ann'] }]);
  await world.update('approve', { by: 'bob' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});

test('a decision that the child refuses leaves its gate open at the parent', async () => {
  const world = parent([pipeline('deploy', CHILD)], child([approval('ask', { fourEyes: true })]));
  await world.settle();
  await world.update('approve', { by: 'lead' });
  await world.settle();
  expect(world.status().gates).toMatchObject([{ step: 'deploy/ask' }]);
});

test('the parent refuses at once what it knows that the child would', async () => {
  const world = parent(
    [parallel('both', [pipeline('deploy', CHILD), approval('own')])],
    child([approval('ask', { approvers: ['ann'] }), input('value')]),
  );
  await world.settle();
  const step = 'both[0]/deploy/ask';
  await expect(world.update('approve', { step, by: 'eve' })).rejects.toMatchObject({ outcome: 'refused' });
  await expect(world.update('respond', { step, by: 'ann', response: 'maybe' })).rejects.toMatchObject({ outcome: 'refused' });
  await world.update('approve', { step, by: 'ann' });
  for (const answered of [step, 'deploy/ask'])
    await expect(world.update('approve', { step: answered, by: 'ann' })).rejects.toMatchObject({ outcome: 'late' });
  await world.settle();
  await expect(world.update('approve', { step: 'deploy/value' })).rejects.toMatchObject({ outcome: 'refused' });
});

test('a child that is held says who is waited for', async () => {
  const fails: StepBehaviour = () => {
    throw new ThermidorFailure('command.failed', 'exit 1');
  };
  const world = parent([pipeline('deploy', CHILD)], child([command('ship', { onError: [{ kind: 'hold' }] })]), { steps: { ship: fails } });
  await world.settle();
  expect(world.status().state).toBe('held');
  expect(world.step('deploy').waitingFor).toMatch(/^an operator, in run /);
});

test.each([
  ['gates that are no list', { kind: 'gates', state: 'waiting', gates: null }],
  ['a gate without a name', { kind: 'gates', state: 'waiting', gates: [{}] }],
  ['a state that there is not', { kind: 'gates', state: 'asleep', gates: [] }],
  ['an end without an output', { kind: 'ended', state: 'completed' }],
  ['an end of no kind', { kind: 'ended', state: 'gone' }],
  ['nothing at all', undefined],
])('news that a child did not write change nothing: %s', async (_what, news) => {
  const world = parent([pipeline('deploy', CHILD)], child([approval('ask')]));
  await world.settle();
  world.signal('thermidor:child', news && { step: 'deploy#1~1', ...news });
  await world.settle();
  expect(world.status()).toMatchObject({ state: 'waiting', gates: [{ step: 'deploy/ask' }] });
  await world.update('approve', { by: 'chairman' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});
