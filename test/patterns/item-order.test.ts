import { type OrderedItem, overlaps, readyItems } from '../../plan/patterns/item-order';
import { canonicalJson } from '../../plan/text/json';

const item = (key: string, depends: string[] = [], files: string[] = []): OrderedItem => ({ key, depends, files });
const keys = (items: readonly OrderedItem[]) => items.map(({ key }) => key);
const done = (...known: string[]) => new Set(known.map((key) => canonicalJson(key)));

test.each([
  ['src/a.ts', 'src/a.ts', true],
  ['src', 'src/a.ts', true],
  ['.', 'src/a.ts', true],
  ['src/a', 'src/a.ts', false],
  ['src/a.ts', 'src/b.ts', false],
])('%s and %s overlap: %p', (one, other, expected) => {
  expect([overlaps(one, other), overlaps(other, one)]).toEqual([expected, expected]);
});

describe('an item', () => {
  test('is in turn when all that it depends on is done', () => {
    expect(readyItems([item('a', ['b']), item('c', ['d'])], [], done('b'))).toMatchObject({ ready: [{ key: 'a' }], inTurn: 1 });
  });

  test('that waits for a file keeps it for itself, and one that waits for others does not', () => {
    const waiting = [item('a', ['x'], ['f']), item('b', [], ['f']), item('c', [], ['f']), item('d', [], ['g'])];
    expect(keys(readyItems(waiting, [], done()).ready)).toEqual(['b', 'd']);
    expect(keys(readyItems(waiting, [item('l', [], ['g'])], done('x')).ready)).toEqual(['a']);
  });
});

/** A small random generator: the same seed gives the same numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test.each(Array.from({ length: 50 }, (_, seed) => seed + 1))(
  'whatever comes, nobody overlaps, depends on what is not done, or waits for ever: seed %p',
  (seed) => {
    const pick = numbers(seed);
    const all = Array.from({ length: 30 }, (_, i) =>
      item(`i${i}`, i > 0 && pick(2) === 0 ? [`i${pick(i)}`] : [], pick(2) === 0 ? [`f${pick(4)}`] : []),
    );
    const waiting = [...all];
    const live: OrderedItem[] = [];
    const known = new Set<string>();
    while (waiting.length + live.length > 0) {
      const { ready, inTurn } = readyItems(waiting, live, known);
      if (live.length === 0) expect([ready.length > 0, inTurn > 0]).toEqual([true, true]);
      const [next] = ready;
      if (next && (live.length === 0 || pick(2) === 0)) {
        expect(next.depends?.every((key) => known.has(canonicalJson(key)))).toBe(true);
        expect(live.some(({ files = [] }) => files.some((file) => next.files?.includes(file)))).toBe(false);
        waiting.splice(waiting.indexOf(next), 1);
        live.push(next);
      } else {
        const [ended] = live.splice(pick(live.length), 1);
        known.add(canonicalJson(ended?.key ?? null));
      }
    }
  },
);
