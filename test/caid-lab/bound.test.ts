import { laboratory } from '../../bench/caid/laboratory';
import { LIBRARIES } from '../../bench/caid/library';
import { seeded, seededMs } from '../../bench/caid/seeded';
import { speedUpKept } from '../../bench/caid/speed-up';
import { bound, type Latency } from '../../kinds/caid/rules/bound';
import type { GraphUnit } from '../../kinds/caid/rules/task-graph';

/** `a: b c` depends on b and c. */
function graphOf(...lines: string[]): { units: GraphUnit[] } {
  const units = lines.map((line) => {
    const [id = '', after = ''] = line.split(':');
    return { id, title: id, description: id, files: [`${id}.js`], depends_on: after.split(' ').filter(Boolean) };
  });
  return { units };
}

const same = (workMs: number, integrateMs: number) => (): Latency => ({ workMs, integrateMs });

const timesOf = (lines: readonly string[], latency: (id: string) => Latency, engineers: number) =>
  bound(graphOf(...lines), latency, engineers).tasks.map(({ id, engineer, startMs, submittedMs, mergedMs }) =>
    [id, engineer, startMs, submittedMs, mergedMs].join(' '),
  );

test('a chain takes the sum of its tasks, whatever the number of engineers', () => {
  for (const engineers of [1, 2, 8]) {
    expect(timesOf(['a', 'b: a', 'c: b'], same(10, 3), engineers)).toEqual(['a 0 0 10 13', 'b 0 13 23 26', 'c 0 26 36 39']);
    expect(bound(graphOf('a', 'b: a', 'c: b'), same(10, 3), engineers)).toMatchObject({ finishMs: 39, leastMs: 39 });
  }
});

test('one engineer begins its next task while the queue integrates', () => {
  expect(timesOf(['a', 'b', 'c'], same(10, 3), 1)).toEqual(['a 0 0 10 13', 'b 0 10 20 23', 'c 0 20 30 33']);
});

test('the queue integrates one by one, and is what limits many engineers', () => {
  expect(timesOf(['a', 'b', 'c', 'd'], same(10, 6), 4)).toEqual(['a 0 0 10 16', 'b 1 0 10 22', 'c 2 0 10 28', 'd 3 0 10 34']);
  expect(bound(graphOf('a', 'b', 'c', 'd'), same(10, 6), 4)).toMatchObject({ finishMs: 34, leastMs: 34 });
});

test('the longest remaining path goes first, and what is submitted first is integrated first', () => {
  const work: Record<string, number> = { a: 10, b: 4, c: 1, z: 20 };
  const latency = (id: string): Latency => ({ workMs: work[id] ?? 0, integrateMs: 2 });
  // a, b and z are ready. The path of z is longer than that of b and shorter than that of a: 10 + 2 + 20 + 2.
  expect(timesOf(['b', 'a', 'c', 'z: a'], latency, 2)).toEqual(['b 1 0 4 6', 'c 1 4 5 8', 'a 0 0 10 12', 'z 0 12 32 34']);
});

test('a task waits until all that it depends on is merged, not only submitted', () => {
  const latency = (id: string): Latency => ({ workMs: id === 'b' ? 1 : 10, integrateMs: 5 });
  expect(timesOf(['a', 'b', 'c: a b', 'd: b'], latency, 3)).toEqual(['b 1 0 1 6', 'a 0 0 10 15', 'd 1 6 16 21', 'c 0 15 25 30']);
});

test('a circle, and a dependency that is not there, are refused', () => {
  expect(() => bound(graphOf('a: b', 'b: a'), same(1, 1), 2)).toThrow(expect.objectContaining({ code: 'internal' }));
  expect(() => bound(graphOf('a: gone'), same(1, 1), 2)).toThrow(expect.objectContaining({ code: 'internal' }));
  expect(bound(graphOf(), same(1, 1), 2)).toEqual({ finishMs: 0, leastMs: 0, tasks: [] });
});

test('of a graph with seeded latencies: never below what is possible, never two at once for one engineer or in the queue, no waiting without cause', () => {
  const { graph } = laboratory(LIBRARIES.cborg);
  for (const seed of [1, 2, 3, 4, 5]) {
    const latency = (id: string): Latency => ({
      workMs: seededMs(seed, `work ${id}`, [200, 2000]),
      integrateMs: seededMs(seed, `test ${id}`, [50, 200]),
    });
    const finishes = [1, 2, 4, 8].map((engineers) => {
      const { finishMs, leastMs, tasks } = bound(graph, latency, engineers);
      expect(finishMs).toBeGreaterThanOrEqual(leastMs);
      const mergedAt = new Map(tasks.map(({ id, mergedMs }) => [id, mergedMs]));
      for (const { id, depends_on } of graph.units) {
        const startMs = tasks.find((task) => task.id === id)?.startMs ?? -1;
        expect(startMs).toBeGreaterThanOrEqual(Math.max(0, ...depends_on.map((one) => mergedAt.get(one) ?? Infinity)));
      }
      for (const [i, task] of tasks.entries()) {
        expect(task.mergedMs - latency(task.id).integrateMs).toBe(Math.max(task.submittedMs, tasks[i - 1]?.mergedMs ?? 0));
        const others = tasks.filter(({ id, engineer }) => engineer === task.engineer && id !== task.id);
        for (const other of others) expect(other.submittedMs <= task.startMs || task.submittedMs <= other.startMs).toBe(true);
      }
      return finishMs;
    });
    expect(finishes).toEqual([...finishes].sort((a, b) => b - a));
    const serial = graph.units.reduce((sum, { id }) => sum + latency(id).workMs, 0);
    expect(finishes[0]).toBeGreaterThanOrEqual(serial);
  }
});

test('the part of the possible speed-up that was reached', () => {
  expect(speedUpKept({ one: 100, many: 25 }, { one: 110, many: 27.5 })).toBe(1);
  expect(speedUpKept({ one: 100, many: 25 }, { one: 100, many: 50 })).toBe(0.5);
});

test('seeded numbers depend on seed and name alone, and fill their range', () => {
  expect(seeded(1, 'a')).toBe(seeded(1, 'a'));
  expect(new Set([seeded(1, 'a'), seeded(2, 'a'), seeded(1, 'b')]).size).toBe(3);
  const many = Array.from({ length: 1000 }, (_, i) => seededMs(7, `task-${i}`, [1, 4]));
  for (const value of [1, 2, 3, 4]) expect(many.filter((one) => one === value).length).toBeGreaterThan(180);
  expect(new Set(many)).toEqual(new Set([1, 2, 3, 4]));
});
