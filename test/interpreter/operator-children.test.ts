import { ThermidorFailure } from '../../plan/run/failure';
import { command, held, pipeline } from '../support/steps';
import { planOf, runPlan } from '../support/world';

/** Operators act on a run that has children. */
const CHILD = 'release';

test('a step of a child that is not held is refused, and the child is named', async () => {
  const world = runPlan(planOf([pipeline('deploy', CHILD)]), {
    children: { [CHILD]: planOf([command('build')], { name: CHILD }) },
    steps: { build: () => new Promise(() => undefined) },
  });
  await world.settle();
  await expect(world.update('retry', { step: 'deploy/build' })).rejects.toMatchObject({
    outcome: 'misdirected',
    message: expect.stringContaining('test-run.deploy'),
  });
});

test('news of a child with rubbish among its held steps is read as far as it reads', async () => {
  const world = runPlan(planOf([pipeline('deploy', CHILD)]), {
    children: { [CHILD]: planOf([command('build')], { name: CHILD }) },
    steps: { build: () => new Promise(() => undefined) },
  });
  await world.settle();
  const held = [{ step: 'build', reason: 'x' }, { step: 3 }, null, 'y'];
  const says = { step: 'deploy#1~1', kind: 'gates', gates: [], state: 'held', held };
  await world.ledger.append({ workflowId: 'test-run.deploy', run: 'run-1' }, 'to/test-run', { by: 'x', n: 1, for: 'run-1', says });
  world.signal('thermidor:child', { step: 'deploy#1~1' });
  await world.settle();
  expect(world.status().held).toEqual([{ step: 'deploy/build', reason: 'x' }]);
});

test('a child that was about to start when its parent was paused is paused with it', async () => {
  let goOn: () => void = () => undefined;
  const world = runPlan(planOf([pipeline('deploy', CHILD)]), {
    children: { [CHILD]: planOf([command('build'), command('ship')], { name: CHILD }) },
    steps: { build: () => new Promise((resolve) => setImmediate(() => resolve({}))) },
    whileOpeningChild: () => new Promise((resolve) => (goOn = resolve)),
  });
  await world.settle();
  world.signal('pause', { by: 'ops' });
  goOn();
  for (let i = 0; i < 6; i++) await world.settle();
  expect(world.children.get('test-run.deploy')?.query('status')).toMatchObject({ state: 'paused', paused: { by: 'ops' } });
  world.signal('unpause', { by: 'ops' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});

test('an operator’s word reaches the children of a run that has gone on in another execution', async () => {
  let finish: () => void = () => undefined;
  const world = runPlan(planOf([command('a'), command('b'), pipeline('deploy', CHILD)]), {
    children: { [CHILD]: planOf([command('build', held), command('ship')], { name: CHILD }) },
    activitiesPerExecution: 3,
    steps: { build: () => new Promise((_, reject) => (finish = () => reject(new ThermidorFailure('command.failed', 'disk full')))) },
  });
  for (let i = 0; i < 6; i++) await world.settle();
  finish();
  for (let i = 0; i < 6; i++) await world.settle();
  expect(world.executions).toBeGreaterThan(1);
  expect(world.status().held).toMatchObject([{ step: 'deploy/build' }]);
  await world.update('skip', { step: 'deploy/build', by: 'ops' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});
