/** 200 candidates of 20 askers: of a hundred, ten conflict, five are red, and two merge well and break the tests. */
export const ASKERS = 20;
export const COUNT = 200;

export type Fate = 'merged' | 'conflict' | 'red';

export interface PlannedCandidate {
  name: string;
  asker: string;
  file: string;
  text: string;
  /** Its expected end. One that conflicts or breaks something does so because of the one before it in `with`. */
  fate: Fate;
}

/** @param count the first so many */
export function plannedCandidates(count = COUNT): PlannedCandidate[] {
  return Array.from({ length: count }, (_, i) => ({ name: `c${i}`, asker: `run-${i % ASKERS}`, ...workOf(i) }));
}

function workOf(i: number): Pick<PlannedCandidate, 'file' | 'text' | 'fate'> {
  const place = i % ASKERS;
  // Both change what the first of the twenty changed before them.
  if (place === 7 || place === 14) return { file: `part-${i - place}.txt`, text: `other ${i}\n`, fate: 'conflict' };
  if (place === 3) return { file: `bad-${i}.txt`, text: 'bad\n', fate: 'red' };
  // The test fails if both of a pair are present.
  if (i % 50 === 46) return { file: `pair-${i - 1}-b.txt`, text: 'b\n', fate: 'red' };
  if (i % 50 === 45) return { file: `pair-${i}-a.txt`, text: 'a\n', fate: 'merged' };
  return { file: `part-${i}.txt`, text: `${i}\n`, fate: 'merged' };
}

/**
 * Red if there is a bad file or a whole pair. It takes 1 to 3 s, depending on the number of files, so that git's own time counts for
 * little, as with real tests.
 */
export const TEST = `sleep $(( $(ls | wc -l) * 7 % 3 + 1 ))
if ls bad-* 2> /dev/null; then exit 1; fi
for a in pair-*-a.txt; do if ls "\${a%-a.txt}-b.txt" 2> /dev/null; then exit 1; fi; done
`;
