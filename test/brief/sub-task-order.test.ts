import { circleIn, inRunOrder } from '../../plan/brief/sub-task-order';
import { chance } from '../caid/chance';

/** Sub-tasks run one after the other: by what they depend on, else by their order, else by their place. */

interface Task {
  id: string;
  order?: number;
  depends_on?: string[];
}

const ids = (...tasks: Task[]) => inRunOrder(tasks).map(({ id }) => id);

test.each<[string, Task[], string[]]>([
  ['without an order: as the plan has them', [{ id: 'b' }, { id: 'a' }], ['b', 'a']],
  [
    'by order',
    [
      { id: 'a', order: 2 },
      { id: 'b', order: 1 },
    ],
    ['b', 'a'],
  ],
  [
    'equal orders: as the plan has them',
    [
      { id: 'b', order: 1 },
      { id: 'a', order: 1 },
    ],
    ['b', 'a'],
  ],
  [
    'orders with gaps, below zero, and broken',
    [
      { id: 'a', order: 9.5 },
      { id: 'b', order: -1 },
      { id: 'c', order: 7 },
    ],
    ['b', 'c', 'a'],
  ],
  [
    'a dependency counts before the order',
    [
      { id: 'a', order: 1, depends_on: ['b'] },
      { id: 'b', order: 2 },
    ],
    ['b', 'a'],
  ],
  ['one that skips its neighbour, which the original refuses', [{ id: 'a' }, { id: 'b' }, { id: 'c', depends_on: ['a'] }], ['a', 'b', 'c']],
  [
    'several',
    [{ id: 'd', depends_on: ['b', 'c'] }, { id: 'c', depends_on: ['a'] }, { id: 'b', depends_on: ['a'] }, { id: 'a' }],
    ['a', 'c', 'b', 'd'],
  ],
  [
    'where dependencies leave a choice, by order',
    [{ id: 'a' }, { id: 'c', order: 3, depends_on: ['a'] }, { id: 'b', order: 2, depends_on: ['a'] }],
    ['a', 'b', 'c'],
  ],
  ['named twice', [{ id: 'b', depends_on: ['a', 'a'] }, { id: 'a' }], ['a', 'b']],
])('%s', (_, tasks, expected) => {
  expect(ids(...tasks)).toEqual(expected);
  expect(circleIn(tasks)).toBeUndefined();
});

test.each<[string, Task[], string[]]>([
  ['itself', [{ id: 'a', depends_on: ['a'] }], ['a', 'a']],
  [
    'each other',
    [
      { id: 'a', depends_on: ['b'] },
      { id: 'b', depends_on: ['a'] },
    ],
    ['a', 'b', 'a'],
  ],
  [
    'behind one that waits for them',
    [
      { id: 'z', depends_on: ['a'] },
      { id: 'a', depends_on: ['b'] },
      { id: 'b', depends_on: ['a'] },
    ],
    ['a', 'b', 'a'],
  ],
])('a circle: %s', (_, tasks, expected) => {
  expect(circleIn(tasks)).toEqual(expected);
});

test.each([1, 2, 3, 4, 5])(
  'random plans: everything is behind what it depends on, and the same plan has the same order (seed %i)',
  (seed) => {
    const pick = chance(seed);
    const tasks = Array.from(
      { length: 64 },
      (_, i): Task => ({
        id: `t${i}`,
        order: pick(20),
        depends_on: Array.from({ length: i === 0 ? 0 : pick(4) }, () => `t${pick(i)}`),
      }),
    );
    const shuffled = tasks
      .map((task) => ({ task, at: pick(1000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ task }) => task);
    const order = ids(...shuffled);
    expect([...order].sort()).toEqual(tasks.map(({ id }) => id).sort());
    for (const { id, depends_on = [] } of tasks) for (const one of depends_on) expect(order.indexOf(one)).toBeLessThan(order.indexOf(id));
    expect(ids(...shuffled)).toEqual(order);
  },
);
