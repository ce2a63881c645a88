/** Characters as ranges of code points, both ends included, in order and apart from each other. */
export type CharSet = readonly (readonly [number, number])[];

const LAST = 0x10ffff;
export const ANY: CharSet = [[0, LAST]];
const DIGIT: CharSet = [[48, 57]];
const WORD: CharSet = setOf([
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]);
const SPACE: CharSet = setOf([
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);
const LINE_END: CharSet = setOf([
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
]);

/** What stands behind a backslash and means a class; `.` is one too. `\p{…}` counts as any character. */
export const CLASSES: Readonly<Record<string, CharSet>> = {
  d: DIGIT,
  D: without(DIGIT),
  w: WORD,
  W: without(WORD),
  s: SPACE,
  S: without(SPACE),
  '.': without(LINE_END),
  p: ANY,
  P: ANY,
};

export function setOf(ranges: readonly (readonly [number, number])[]): CharSet {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  const found: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = found[found.length - 1];
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

export function without(set: CharSet): CharSet {
  const found: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) found.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST) found.push([next, LAST]);
  return found;
}

export function overlap(one: CharSet, other: CharSet): boolean {
  let [i, j] = [0, 0];
  for (;;) {
    const [a, b] = [one[i], other[j]];
    if (!a || !b) return false;
    if (a[1] < b[0]) i++;
    else if (b[1] < a[0]) j++;
    else return true;
  }
}
