import { createItemQueue, firstReady, type OrderedItem } from '../../plan/patterns/item-order';
import { canonicalJson } from '../../plan/text/json';

const item = (key: string, depends: string[] = [], files: string[] = []): OrderedItem => ({ key, depends, files });
const done = (...known: string[]) => new Set(known.map((key) => canonicalJson(key)));

/** The rule in its simplest form, without regard for speed. */
function itemsInTurn(waiting: readonly OrderedItem[], known: ReadonlySet<string>): OrderedItem[] {
  return waiting.filter(({ depends = [] }) => depends.every((key) => known.has(canonicalJson(key))));
}

test.each([
  ['src/a.ts', 'src/a.ts', true],
  ['src', 'src/a.ts', true],
  ['src', 'src/a/b.ts', true],
  ['.', 'src/a.ts', true],
  ['src/a', 'src/a.ts', false],
  ['src/a.ts', 'src/b.ts', false],
])('%s and %s overlap: %p', (one, other, expected) => {
  const isReady = (mine: string, theirs: string) => firstReady([item('a', [], [mine])], [item('l', [], [theirs])]) !== undefined;
  expect([isReady(one, other), isReady(other, one)]).toEqual([!expected, !expected]);
});

describe('an item', () => {
  test('is in turn when all that it depends on is done', () => {
    expect(itemsInTurn([item('a', ['b']), item('c', ['d'])], done('b'))).toMatchObject([{ key: 'a' }]);
  });

  test('that waits for a file keeps it for itself, and one that waits for others does not', () => {
    const waiting = [item('a', ['x'], ['f']), item('b', [], ['f', 'g']), item('c', [], ['g']), item('d', [], ['h'])];
    const first = (live: OrderedItem[], ...known: string[]) => firstReady(itemsInTurn(waiting, done(...known)), live)?.key;
    expect([first([]), first([item('l', [], ['f'])]), first([item('l', [], ['h'])], 'x')]).toEqual(['b', 'd', 'a']);
    expect(first([item('l', [], ['.'])])).toBeUndefined();
  });
});

/** A small random generator. The same seed gives the same numbers. */
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
    const queue = createItemQueue([]);
    for (const [i, one] of all.entries()) queue.add(i, one);
    const live: OrderedItem[] = [];
    const known = new Set<string>();
    while (waiting.length + live.length > 0) {
      const inTurn = itemsInTurn(waiting, known);
      expect(queue.inTurn.map((i) => all[i])).toEqual(inTurn);
      const next = firstReady(inTurn, live);
      if (live.length === 0) expect(next).toBeDefined();
      if (next && (live.length === 0 || pick(2) === 0)) {
        expect(next.depends?.every((key) => known.has(canonicalJson(key)))).toBe(true);
        expect(live.some(({ files = [] }) => files.some((file) => next.files?.includes(file)))).toBe(false);
        waiting.splice(waiting.indexOf(next), 1);
        queue.take(all.indexOf(next));
        live.push(next);
      } else {
        const [ended] = live.splice(pick(live.length), 1);
        known.add(canonicalJson(ended?.key ?? null));
        queue.noteDone(canonicalJson(ended?.key ?? null));
      }
    }
  },
);

test('each item is read once, however many wait', () => {
  let reads = 0;
  const queue = createItemQueue([canonicalJson('i-1')]);
  for (let i = 0; i < 1000; i++) {
    const counted = {
      key: `i${i}`,
      get depends() {
        reads += 1;
        return [`i${i - 1}`, `i${i - 1}`];
      },
    };
    queue.add(i, counted);
  }
  for (let i = 0; i < 1000; i++) {
    expect(queue.inTurn).toEqual([i]);
    queue.take(i);
    queue.noteDone(canonicalJson(`i${i}`));
  }
  expect(reads).toBe(1000);
});
