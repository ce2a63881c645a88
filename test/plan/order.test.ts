import type { ControlBlock, ControlStep } from '../../plan/steps/control';
import { lastUpstream, orderOf, reviseCone, stepsBehind } from '../../plan/steps/order';

const LONG = 20_000;
const SEEDS = 60;

const wait = (id: string, after?: string[]): ControlStep => ({ id, kind: 'wait', forMs: 1, ...(after ? { after } : {}) });
const graph = (steps: ControlStep[]): ControlBlock => ({ order: 'graph', steps });
const ids = (steps: readonly ControlStep[]): string[] => steps.map(({ id }) => id);

/** A chain of steps, each after the one before; in a graph the last one comes first in the list. */
function chain(order: ControlBlock['order']): ControlBlock {
  const steps = Array.from({ length: LONG }, (_, i) => wait(`s${i}`, order === 'graph' && i > 0 ? [`s${i - 1}`] : undefined));
  return order === 'graph' ? graph(steps.reverse()) : { order, steps };
}

/** Small random numbers, the same ones in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Up to nine steps, each after some others, in any order. */
function anyGraph(seed: number): ControlBlock {
  const number = numbers(seed);
  const count = 2 + number(8);
  const names = Array.from({ length: count }, (_, i) => `s${i}`);
  const steps = names.map((id, i) =>
    wait(
      id,
      names.slice(0, i).filter(() => number(3) === 0),
    ),
  );
  return graph(
    steps
      .map((step) => ({ step, at: number(1000) }))
      .sort((one, other) => one.at - other.at)
      .map(({ step }) => step),
  );
}

/** Whether one step leads to the other, computed by the definition. */
function leads({ steps }: ControlBlock, from: string, to: string): boolean {
  if (from === to) return true;
  const after = steps.find(({ id }) => id === to)?.after ?? [];
  return after.some((before) => leads({ order: 'graph', steps }, from, before));
}

describe('the order of a block', () => {
  test('has each step after those that it waits for, wherever they are', () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const block = anyGraph(seed);
      const { ranked, needs } = orderOf(block);
      expect([...ranked].sort()).toEqual(ids(block.steps).sort());
      ranked.forEach((id, at) => {
        for (const before of needs.get(id) ?? []) expect(ranked.indexOf(before)).toBeLessThan(at);
      });
    }
  });

  test('what runs again is what lies on a way from the target to the review, in the order of the block', () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const block = anyGraph(seed);
      for (const target of ids(block.steps)) {
        for (const review of ids(block.steps)) {
          const between = ids(block.steps).filter((id) => leads(block, target, id) && leads(block, id, review));
          expect(ids(reviseCone(block, target, review))).toEqual(between);
        }
      }
    }
  });

  test('the steps after some are those that a way leads to, and only by way of those that may pass', () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const block = anyGraph(seed);
      for (const start of ids(block.steps)) {
        const all = ids(block.steps).filter((id) => id !== start && leads(block, start, id));
        expect([...stepsBehind(block, [start])].sort()).toEqual(all.sort());
        expect([...stepsBehind(block, [start], () => false)]).toEqual([]);
      }
    }
  });

  test('the last upstream is the last of the block that fits and is upstream', () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const block = anyGraph(seed);
      const fits = ({ id }: ControlStep): boolean => Number(id.slice(1)) % 2 === 0;
      for (const of of ids(block.steps)) {
        const found = block.steps.filter((step) => step.id !== of && fits(step) && leads(block, step.id, of)).at(-1);
        expect(lastUpstream(block, of, fits)?.id).toBe(found?.id);
      }
    }
  });

  test.each(['sequence', 'graph'] as const)('a %s of twenty thousand steps is sent back whole', (order) => {
    const block = chain(order);
    expect(reviseCone(block, 's0', `s${LONG - 1}`)).toEqual(block.steps);
    expect(reviseCone(block, `s${LONG - 1}`, 's0')).toEqual([]);
  });

  test.each(['sequence', 'graph'] as const)('sending back a stretch of a long %s looks at that stretch alone', (order) => {
    const whole = chain(order);
    let looks = 0;
    const steps = new Proxy(whole.steps, {
      get(target, key, receiver) {
        looks += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    const block = { ...whole, steps };
    orderOf(block).rank('s0');
    looks = 0;
    let again = 0;
    for (let at = 1; at < LONG; at += 1) again += reviseCone(block, `s${at - 1}`, `s${at}`).length;
    expect(again).toBe(2 * (LONG - 1));
    expect(looks).toBeLessThan(10 * LONG);
  });
});

describe('a step that an action calls', () => {
  const called = (id: string): ControlStep => ({ ...wait(id), onCall: true });

  it('is next to the order of a sequence, and settles after its last step', () => {
    const order = orderOf({ order: 'sequence', steps: [wait('a'), called('rescue'), wait('b')] });
    expect([order.needsOf('b'), order.needsOf('rescue'), order.dependents('a'), order.dependents('b')]).toEqual([
      ['a'],
      ['b'],
      ['b'],
      ['rescue'],
    ]);
  });

  it('settles after a producer too, which may outlive the loop over its stream', () => {
    const make: ControlStep = { id: 'make', kind: 'command' };
    const each = { id: 'each', kind: 'for_each', stream: 'make', block: { order: 'sequence', steps: [] } } as ControlStep;
    const order = orderOf({ order: 'sequence', steps: [make, each, called('rescue')] });
    expect(order.needsOf('rescue')).toEqual(['each', 'make']);
  });

  it('settles after every other step of a graph', () => {
    const order = orderOf(graph([wait('a'), called('rescue'), wait('b', ['a']), wait('c')]));
    expect([order.needsOf('rescue'), order.needsOf('c')]).toEqual([['a', 'b', 'c'], []]);
  });
});
