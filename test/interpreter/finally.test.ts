import { ThermidorFailure } from '../../plan/run/failure';
import { RUN_END_STATES, type RunEndState } from '../../plan/run/run-end';
import type { Step } from '../../plan/steps/step';
import { approval, command, parallel } from '../support/steps';
import { planOf, runPlan, type StepBehaviour, type World } from '../support/world';

const LAST = { finally: { order: 'sequence' as const, steps: [command('clean'), command('sweep')] } };
const inputOf = (world: World, step: string): unknown => world.seen.find(({ call }) => call.options.address?.startsWith(step))?.call.input;
const fails: StepBehaviour = () => {
  throw new ThermidorFailure('command.failed', 'exit 1');
};

test('runs in order when all is done', async () => {
  const world = runPlan(planOf([command('work')], LAST));
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.order()).toEqual(['work#1~1', 'clean#1~1', 'sweep#1~1']);
});

test('runs when a step fails, and the run fails as it did', async () => {
  const world = runPlan(planOf([command('work'), command('never')], LAST), { steps: { work: fails } });
  await expect(world.result).rejects.toMatchObject({ code: 'command.failed', details: { step: 'work' } });
  expect(world.order()).toEqual(['work#1~1', 'clean#1~1', 'sweep#1~1']);
});

test('runs after a rejection', async () => {
  const world = runPlan(planOf([approval('ask')], LAST));
  await world.settle();
  world.signal('reject', { by: 'ann' });
  await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
  expect(world.order()).toEqual(['clean#1~1', 'sweep#1~1']);
});

test('runs when the run is cancelled, after what was under way has let go', async () => {
  const world = runPlan(planOf([parallel('both', [command('slow'), command('fast')])], LAST), {
    steps: { slow: () => new Promise(() => undefined) },
  });
  await world.settle();
  world.cancel();
  await world.elapse();
  await expect(world.result).rejects.toMatchObject({ name: 'Cancelled' });
  expect(world.seen[0]?.call.signal.aborted).toBe(true);
  expect(world.order().slice(-2)).toEqual(['clean#1~1', 'sweep#1~1']);
});

test('a failure in it is reported, stops nothing, and never hides the run’s own end', async () => {
  const world = runPlan(planOf([command('work')], LAST), { steps: { clean: fails } });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.step('clean').state).toBe('failed');
  expect(world.order()).toContain('sweep#1~1');
  expect(world.notices).toMatchObject([{ channel: '#errors', message: expect.stringContaining('clean failed') }]);
});

test('a run that is cancelled while it cleans up cleans up, and has been cancelled', async () => {
  const world = runPlan(planOf([command('work')], LAST), {
    steps: { clean: ({ call }) => new Promise((resolve) => call.clock.after(1000, () => resolve({}))) },
  });
  await world.settle();
  world.cancel();
  await world.elapse();
  await expect(world.result).rejects.toMatchObject({ name: 'Cancelled' });
  expect(world.order()).toContain('sweep#1~1');
});

test('an abort ends it at once', async () => {
  const world = runPlan(planOf([command('work')], LAST), { steps: { clean: () => new Promise(() => undefined) } });
  await world.settle();
  world.signal('abort', { by: 'ops' });
  await world.elapse();
  await expect(world.result).rejects.toMatchObject({ code: 'run.aborted' });
  expect(world.order()).not.toContain('sweep#1~1');
});

test('goes on in a fresh execution', async () => {
  const world = runPlan(planOf([command('work')], LAST), { steps: { work: fails }, activitiesPerExecution: 3 });
  await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
  expect(world.executions).toBeGreaterThan(1);
  expect(world.order()).toEqual(['work#1~1', 'clean#1~1', 'sweep#1~1']);
});

test('has a slot to run in, even if the step that ended the run has kept its own', async () => {
  const world = runPlan(planOf([approval('ask')], { ...LAST, concurrent: 1 }));
  await world.settle();
  world.signal('reject', { by: 'ann' });
  await world.elapse();
  expect(world.status().state).toBe('rejected');
  expect(world.order()).toEqual(['clean#1~1', 'sweep#1~1']);
});

describe('a person’s no in it ends what is left of it, and the run ends as it would have', () => {
  const slow: StepBehaviour = () => new Promise(() => undefined);
  const ending = (steps: Step[]) => ({ finally: { order: 'sequence' as const, steps: [...steps, command('sweep')] } });

  test.each([
    ['at a gate', approval('ask'), {}],
    ['behind a command', command('ask', { approval: {} }), {}],
    ['after an escalation', command('ask', { onError: [{ kind: 'escalate', to: { kind: 'human' } }] }), { ask: fails }],
    ['beside something else', parallel('both', [approval('ask'), command('other')]), { other: slow }],
  ])('%s', async (_, step, steps) => {
    const world = runPlan(planOf([command('work')], ending([step])), { steps });
    await world.settle();
    world.signal('reject', { by: 'ann' });
    await world.completes();
    expect(world.order()).not.toContain('sweep#1~1');
    expect(world.status().steps.filter(({ state }) => state === 'pending')).toEqual([]);
    expect(world.step('sweep').state).toBe('skipped');
  });
});

describe('its steps know how the run ended', () => {
  const onlyIf = (id: string, state: RunEndState): Step =>
    command(id, {
      when: { kind: 'binary', operator: '==', left: { kind: 'run', field: 'state' }, right: { kind: 'literal', value: state } },
    });
  const LAST = { finally: { order: 'sequence' as const, steps: RUN_END_STATES.map((state) => onlyIf(`on-${state}`, state)) } };
  const given = (world: World): unknown => inputOf(world, 'on-');

  test('completed', async () => {
    const world = runPlan(planOf([command('work')], LAST));
    await world.result;
    expect(world.order()).toEqual(['work#1~1', 'on-completed#1~1']);
    expect(given(world)).toMatchObject({ end: { state: 'completed' } });
  });

  test('failed, at which step and of what, also in a fresh execution', async () => {
    const world = runPlan(planOf([command('work')], LAST), { steps: { work: fails }, activitiesPerExecution: 3 });
    await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
    expect(world.executions).toBeGreaterThan(1);
    expect(world.order()).toEqual(['work#1~1', 'on-failed#1~1']);
    expect(given(world)).toMatchObject({ end: { state: 'failed', error: 'command.failed: exit 1', failedStep: 'work' } });
  });

  test('rejected, at which gate and why', async () => {
    const world = runPlan(planOf([approval('ask')], LAST));
    await world.settle();
    world.signal('reject', { by: 'ann', comment: 'too risky' });
    await world.result;
    expect(world.order()).toEqual(['on-rejected#1~1']);
    expect(given(world)).toMatchObject({ end: { state: 'rejected', error: expect.stringContaining('too risky'), failedStep: 'ask' } });
  });

  test('cancelled', async () => {
    const world = runPlan(planOf([approval('ask')], LAST));
    await world.settle();
    world.cancel();
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ name: 'Cancelled' });
    expect(world.order()).toEqual(['on-cancelled#1~1']);
  });

  test('steps before it are given nothing of the kind', async () => {
    const world = runPlan(planOf([command('work')], LAST));
    await world.result;
    expect(inputOf(world, 'work')).not.toHaveProperty('end');
  });
});

test('the notice of a failure says how the run ended', async () => {
  const world = runPlan(planOf([command('work')]), { steps: { work: fails } });
  await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
  expect(world.notices).toMatchObject([
    { channel: '#errors', end: { state: 'failed', error: 'command.failed: exit 1', failedStep: 'work' } },
  ]);
});
