import { neededOf, type Quorum } from '../../plan/people/quorum';

test.each<[Quorum, number, number]>([
  [{ count: 2 }, 5, 2],
  [{ count: 3 }, 2, 3],
  [{ share: [2, 3] }, 3, 2],
  [{ share: [1, 3] }, 3, 1],
  [{ share: [2, 3] }, 4, 3],
  [{ share: [6, 10] }, 5, 3],
  [{ share: [7, 10] }, 10, 7],
  [{ share: [1, 1] }, 7, 7],
  [{ share: [1, 1000] }, 3, 1],
])('%j of %i is %i', (quorum, total, needed) => {
  expect(neededOf(quorum, total)).toBe(needed);
});

test('of every share p/q and every total it is the least count that is at least the share', () => {
  const wrong: unknown[] = [];
  for (let q = 1; q <= 60; q++)
    for (let p = 1; p <= q; p++)
      for (let total = 1; total <= 64; total += 7) {
        const needed = neededOf({ share: [p, q] }, total);
        const isLeast = needed === 1 || (needed - 1) * q < p * total;
        if (needed * q < p * total || !isLeast) wrong.push({ p, q, total, needed });
      }
  expect(wrong).toEqual([]);
});

test('a share of a plan that was frozen before counts as it did', () => {
  expect([neededOf(0.6, 5), neededOf(1, 3), neededOf(0.01, 3)]).toEqual([3, 3, 1]);
});
