import { ReachableSteps } from '../../compiler/reachability';

/** The same result, found by a full walk, for comparison. */
function walked(after: readonly (readonly number[])[], candidate: number, of: number): boolean {
  const seen = new Set<number>();
  const queue = [...(after[of] ?? [])];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (at === candidate) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    queue.push(...(after[at] ?? []));
  }
  return false;
}

describe('what is above a step in a graph', () => {
  it.each(Array.from({ length: 30 }, (_, seed) => seed + 1))('is what walking up from it meets (graph %i)', (seed) => {
    let state = seed;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state % below;
    };
    const count = 2 + random(20);
    const places = Array.from({ length: count }, (_, i) => i).sort(() => random(3) - 1);
    const after = Array.from({ length: count }, (_, i): number[] => {
      const earlier = places.slice(0, places.indexOf(i));
      return earlier.filter(() => random(4) === 0);
    });
    const reachable = new ReachableSteps(after, new Set());
    for (let of = 0; of < count; of++) {
      for (let candidate = 0; candidate < count; candidate++) {
        expect([candidate, of, reachable.isAbove(candidate, of)]).toEqual([candidate, of, walked(after, candidate, of)]);
      }
    }
  });

  it('is everything for a step in a circle, and for those after it', () => {
    const reachable = new ReachableSteps([[], [2], [1], [1], [0]], new Set());
    expect([0, 1, 2, 3, 4].map((index) => reachable.isSettled(index))).toEqual([true, false, false, false, true]);
    expect([1, 2, 3].map((of) => reachable.isAbove(4, of))).toEqual([true, true, true]);
    expect(reachable.isAbove(3, 4)).toBe(false);
  });

  it('is everything for a step that depends on what does not exist, and for those after it', () => {
    const reachable = new ReachableSteps([[], [], [1]], new Set([1]));
    expect([reachable.isAbove(0, 1), reachable.isAbove(0, 2), reachable.isAbove(2, 0)]).toEqual([true, true, false]);
  });
});
