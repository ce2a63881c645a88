import { ThermidorFailure } from '../../plan/failure';
import type { Step } from '../../plan/step';
import { approval, command, parallel } from '../support/steps';
import { planOf, runPlan, type StepBehaviour } from '../support/world';

const LAST = { finally: { order: 'sequence' as const, steps: [command('clean'), command('sweep')] } };
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

test('has a slot to run in, also where the step that ended the run has kept its own', async () => {
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
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).not.toContain('sweep#1~1');
  });
});
