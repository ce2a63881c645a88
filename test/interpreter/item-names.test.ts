import { ThermidorFailure } from '../../plan/run/failure';
import { approval, command, forEach, held } from '../support/steps';
import { artifact, planOf, runPlan } from '../support/world';

const LIST = ['BTC', 'ETH', 'x'.repeat(100)];
const names = { first: ['BTC', 'ETH', null] };
const pending = () => new Promise<never>(() => undefined);

test('a step within a loop is shown with what its item is called: in the status, the journal and the gates', async () => {
  const plan = planOf([forEach('loop', [command('work'), approval('ask')])]);
  const world = runPlan(plan, { lists: { loop: LIST }, names });
  await world.settle();
  expect(world.status().steps.map(({ address, item }) => [address, item])).toEqual([
    ['loop', undefined],
    ['loop[0]/work', 'BTC'],
    ['loop[0]/ask', 'BTC'],
  ]);
  expect(world.status().gates).toMatchObject([{ step: 'loop[0]/ask', item: 'BTC' }]);
  for (const step of ['loop[0]/ask', 'loop[1]/ask']) {
    world.signal('approve', { step, by: 'me' });
    await world.settle();
  }
  const entries = world.journal();
  const told = entries.filter((entry) => 'step' in entry && entry.step?.endsWith('/work') && 'state' in entry && entry.state === 'done');
  expect(told.map(({ item }) => item)).toEqual(['BTC', 'ETH', undefined]);
  expect(entries.find(({ kind }) => kind === 'decision')).toMatchObject({ step: 'loop[0]/ask', item: 'BTC' });
  expect(entries.find((entry) => 'step' in entry && entry.step === 'loop')).not.toHaveProperty('item');
});

test('of loops within each other from the outside in', async () => {
  const plan = planOf([forEach('outer', [forEach('inner', [command('work')])])]);
  const world = runPlan(plan, { lists: { outer: LIST, inner: LIST }, names, steps: { work: pending } });
  await world.settle();
  expect(world.status().steps.at(-1)).toMatchObject({ address: 'outer[0]/inner[0]/work', item: 'BTC / BTC' });
});

test('a step that is held says it too', async () => {
  const plan = planOf([forEach('loop', [command('work', held)])]);
  const world = runPlan(plan, {
    lists: { loop: LIST },
    names,
    steps: { work: () => Promise.reject(new ThermidorFailure('command.failed', 'no')) },
  });
  await world.settle();
  expect(world.status().held).toMatchObject([{ step: 'loop[0]/work', item: 'BTC' }]);
});

test('items of a stream have the names that came with them', async () => {
  const producer = command('producer', { emits: { name: 'Item', schema: 's', maxItems: 9, maxWaiting: 9 } });
  const loop = forEach('loop', [command('work')], { stream: 'producer' });
  const world = runPlan(planOf([producer, loop]), { emitted: { producer: ['a', 'b'] }, steps: { work: pending } });
  await world.settle();
  expect(world.status().steps.find(({ address }) => address === 'loop[0]/work')).toMatchObject({ item: 'a' });
});

test('of a long list the names come in pages', async () => {
  const many = Array.from({ length: 250 }, (_, i) => `item ${i}`);
  const plan = planOf([forEach('loop', [command('work')], { maxConcurrent: 4 })]);
  const world = runPlan(plan, { lists: { loop: many }, names: { first: many.slice(0, 100), list: artifact('names') } });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  const entries = world.journal();
  expect(entries.find((entry) => 'step' in entry && entry.step === 'loop[249]/work')).toMatchObject({ item: 'item 249' });
  expect(world.calls.filter(({ name }) => name === 'itemValues')).toHaveLength(2);
});
