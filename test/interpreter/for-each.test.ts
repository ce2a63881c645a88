import type { Expr } from '../../plan/expressions/expression';
import { ThermidorFailure } from '../../plan/run/failure';
import { approval, command, forEach, group, parallel, review, reviewed } from '../support/steps';
import { sweepCount } from '../support/sweep';
import { artifact, planOf, runPlan, type StepBehaviour, type World } from '../support/world';

const LIST = ['a', 'b', 'c'];
const bodyOf = (world: World, id = 'work') => world.order().filter((address) => address.includes(`/${id}#`));
const failsAt =
  (index: number, times = Number.POSITIVE_INFINITY): StepBehaviour =>
  ({ address, step }) => {
    if (address?.path[0]?.index === index && address.round <= times) throw new ThermidorFailure('command.failed', 'exit 1');
    return { artifact: artifact(`${step}-${address?.path[0]?.index}`) };
  };

test('the block runs once for each item, one after the other, and the output is made from parts', async () => {
  const world = runPlan(planOf([forEach('loop', [command('work')]), command('end')]), { lists: { loop: LIST } });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.order()).toEqual(['loop[0]/work#1~1', 'loop[1]/work#1~1', 'loop[2]/work#1~1', 'end#1~1']);
  expect(world.composed['loop#1~1/part-0']).toMatchObject({ kind: 'iterations', from: 0, results: [{}, {}, {}] });
  expect(world.composed['loop#1~1/compose']).toEqual({ kind: 'parts', parts: [artifact('loop#1~1/part-0')] });
});

test('an empty list is done at once', async () => {
  const world = runPlan(planOf([forEach('loop', [command('work')])]), { lists: { loop: [] } });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.composed['loop#1~1/compose']).toEqual({ kind: 'parts', parts: [] });
});

test('the activities of an iteration know which item of which list they work on', async () => {
  const plan = planOf([forEach('outer', [forEach('inner', [command('work')], { itemVar: 'cell' })], { indexVar: 'row' })]);
  const world = runPlan(plan, { lists: { outer: [1, 2], inner: [3] } });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.seen.at(-1)?.input.loops).toEqual([
    { list: artifact('list'), index: 1, itemVar: 'item', indexVar: 'row' },
    { list: artifact('list'), index: 0, itemVar: 'cell', indexVar: 'index' },
  ]);
});

test('conditions within read the values of their own item, and steps of their own iteration', async () => {
  const itemIs = (word: string): Expr => ({
    kind: 'binary',
    operator: '==',
    left: { kind: 'variable', name: 'item', path: ['kind'] },
    right: { kind: 'literal', value: word },
  });
  const plan = planOf([forEach('loop', [command('work', { when: itemIs('yes') })], { itemReads: [['kind']], maxConcurrent: 2 })]);
  const items = Array.from({ length: 60 }, (_, i) => ({ kind: i % 20 === 0 ? 'yes' : 'no' }));
  const world = runPlan(plan, { lists: { loop: items } });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(bodyOf(world)).toEqual(['loop[0]/work#1~1', 'loop[20]/work#1~1', 'loop[40]/work#1~1']);
});

test('at most max_concurrent iterations are under way', async () => {
  const plan = planOf([forEach('loop', [command('work')], { maxConcurrent: 2 })]);
  const world = runPlan(plan, {
    lists: { loop: LIST },
    steps: { work: ({ call }) => new Promise((resolve) => call.clock.after(1000, () => resolve({}))) },
  });
  await world.settle();
  expect(bodyOf(world)).toHaveLength(2);
  expect(world.step('loop').iterations).toEqual({ done: 0, total: 3 });
  await world.completes();
});

test('between batches it pauses', async () => {
  const plan = planOf([forEach('loop', [command('work')], { batchSize: 2, pauseMs: 60_000 })]);
  const world = runPlan(plan, { lists: { loop: [1, 2, 3, 4, 5] } });
  const started = world.clock.now();
  await world.settle();
  expect(bodyOf(world)).toHaveLength(2);
  await world.completes();
  expect(world.clock.now() - started).toBe(120_000);
});

test('an iteration that fails lets the others end and fails the loop; another try goes on with what is not done', async () => {
  const plan = planOf([forEach('loop', [command('work')], { maxConcurrent: 3, retry: { max: 2, delayMs: 1 } })]);
  const world = runPlan(plan, { lists: { loop: [1, 2, 3, 4] }, steps: { work: failsAt(1, 1) } });
  await world.completes();
  expect(bodyOf(world).sort()).toEqual([
    'loop[0]/work#1~1',
    'loop[1]/work#1~1',
    'loop[1]/work#2~1',
    'loop[2]/work#1~1',
    'loop[3]/work#1~1',
  ]);
});

test('an iteration that fails for good fails the run, and the message says where', async () => {
  const world = runPlan(planOf([forEach('loop', [command('work')])]), { lists: { loop: LIST }, steps: { work: failsAt(1) } });
  await expect(world.result).rejects.toMatchObject({ code: 'command.failed', message: expect.stringContaining('loop[1]/work') });
  expect(bodyOf(world)).toHaveLength(2);
});

test.each(['exit 1', 'step 3 of 7: no such file'])(
  'of "%s" in a block within a block, the message names the innermost step, once',
  async (said) => {
    const fails: StepBehaviour = () => {
      throw new ThermidorFailure('command.failed', said);
    };
    const world = runPlan(planOf([forEach('outer', [forEach('inner', [command('work')])])]), {
      lists: { outer: LIST, inner: LIST },
      steps: { work: fails },
    });
    await expect(world.result).rejects.toMatchObject({ code: 'command.failed', message: `step outer[0]/inner[0]/work: ${said}` });
  },
);

test('a step that may fail does not stop its iteration', async () => {
  const plan = planOf([forEach('loop', [command('work', { onError: [{ kind: 'continue' }] }), command('next')])]);
  const world = runPlan(plan, { lists: { loop: LIST }, steps: { work: failsAt(1) } });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(bodyOf(world, 'next')).toHaveLength(3);
});

test('skip_rest skips the rest of its own iteration', async () => {
  const plan = planOf([forEach('loop', [command('work', { onError: [{ kind: 'skip_rest' }] }), command('next')])]);
  const world = runPlan(plan, { lists: { loop: LIST }, steps: { work: failsAt(1) } });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(bodyOf(world, 'next')).toEqual(['loop[0]/next#1~1', 'loop[2]/next#1~1']);
});

test('gates of iterations under way at once have addresses of their own', async () => {
  const world = runPlan(planOf([forEach('loop', [approval('ask'), command('work')], { maxConcurrent: 2 })]), { lists: { loop: [1, 2] } });
  await world.settle();
  expect(world.status().gates.map(({ step }) => step)).toEqual(['loop[0]/ask', 'loop[1]/ask']);
  await expect(world.update('approve', { step: 'ask' })).rejects.toMatchObject({ outcome: 'misdirected' });
  await world.update('approve', { step: 'loop[1]/ask' });
  await world.settle();
  expect(bodyOf(world)).toEqual(['loop[1]/work#1~1']);
  await world.update('approve', { step: 'loop[0]/ask' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});

test('a review in an iteration has revisions of its own', async () => {
  const plan = planOf([
    forEach('loop', [command('draft'), review('judge', 'draft', { onRevise: [{ kind: 'retry', step: 'draft', max: 1 }] })]),
  ]);
  const world = runPlan(plan, {
    lists: { loop: [1, 2] },
    steps: { judge: ({ address }) => reviewed(address?.round === 1 ? 'revise' : 'pass') },
  });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(bodyOf(world, 'draft')).toEqual(['loop[0]/draft#1~1', 'loop[0]/draft#2~1', 'loop[1]/draft#1~1', 'loop[1]/draft#2~1']);
});

test('a loop that is sent back begins again at addresses that were never used', async () => {
  let asked = 0;
  const plan = planOf([forEach('loop', [group('g', [command('work')])]), review('judge', 'loop')]);
  const world = runPlan(plan, {
    lists: { loop: [1, 2] },
    steps: {
      judge: () => {
        asked += 1;
        return reviewed(asked === 1 ? 'revise' : 'pass');
      },
    },
  });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(bodyOf(world)).toEqual(['loop[0]/g/work#1~1', 'loop[1]/g/work#1~1', 'loop[0]/g/work#2~1', 'loop[1]/g/work#2~1']);
});

test('when its time is up the iterations under way are cancelled', async () => {
  const plan = planOf([forEach('loop', [command('work')], { timeoutMs: 60_000 })]);
  const world = runPlan(plan, { lists: { loop: LIST }, steps: { work: () => new Promise(() => undefined) } });
  await world.elapse();
  await expect(world.result).rejects.toMatchObject({ code: 'step.timeout' });
  expect(world.seen[0]?.call.signal.aborted).toBe(true);
});

test('a loop within a branch within a loop', async () => {
  const plan = planOf([forEach('outer', [parallel('both', [forEach('inner', [command('work')]), command('other')])])]);
  const world = runPlan(plan, { lists: { outer: [1, 2], inner: [1, 2] } });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(bodyOf(world)).toEqual([
    'outer[0]/both[0]/inner[0]/work#1~1',
    'outer[0]/both[0]/inner[1]/work#1~1',
    'outer[1]/both[0]/inner[0]/work#1~1',
    'outer[1]/both[0]/inner[1]/work#1~1',
  ]);
});

test('thousands of items run in bounded history and bounded state', async () => {
  const items = sweepCount(2500, 10_000);
  const plan = planOf([forEach('loop', [command('work')], { maxConcurrent: 8 })]);
  const world = runPlan(plan, { lists: { loop: Array.from({ length: items }, (_, i) => i) }, activitiesPerExecution: items / 20 });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(new Set(bodyOf(world)).size).toBe(items);
  expect(world.executions).toBeGreaterThan(15);
  expect(Math.max(...world.stateSizes)).toBeLessThan(sweepCount(100_000, 200_000));
});

test('another try of a loop waits as `retry` says', async () => {
  const plan = planOf([forEach('loop', [command('work')], { retry: { max: 2, delayMs: 20_000 } })]);
  const world = runPlan(plan, { lists: { loop: LIST }, steps: { work: failsAt(1, 1) } });
  const started = world.clock.now();
  await world.settle();
  expect(world.step('loop').waitingFor).toMatch(/^try 2 at /);
  await world.completes();
  expect(world.clock.now() - started).toBe(20_000);
});

test('the time of a loop runs out in a pause too', async () => {
  const plan = planOf([forEach('loop', [command('work')], { pauseMs: 3_600_000, timeoutMs: 60_000 })]);
  const world = runPlan(plan, { lists: { loop: LIST } });
  world.result.catch(() => undefined);
  const started = world.clock.now();
  await world.elapse();
  await expect(world.result).rejects.toMatchObject({ code: 'step.timeout' });
  expect(world.clock.now() - started).toBe(60_000);
});

test('an iteration that has failed stays failed in a fresh execution', async () => {
  const plan = planOf([forEach('loop', [command('work'), command('after')], { maxConcurrent: 2 })]);
  const fails = failsAt(0);
  const world = runPlan(plan, {
    lists: { loop: ['a', 'b'] },
    activitiesPerExecution: 4,
    steps: { work: (seen) => (seen.address?.path[0]?.index === 0 ? fails(seen) : later(seen)) },
  });
  world.result.catch(() => undefined);
  await world.elapse();
  expect(world.executions).toBeGreaterThan(1);
  expect(bodyOf(world, 'after')).toEqual(['loop[1]/after#1~1']);
  await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
});
const later: StepBehaviour = ({ call }) => new Promise((resolve) => call.clock.after(1000, () => resolve({})));
