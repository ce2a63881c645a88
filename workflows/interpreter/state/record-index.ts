import { isSettled } from '../../../plan/run/step-state';
import { childStateOf } from './kind-state';
import type { InterpreterState } from './state';
import { type StepRecord, unansweredGate } from './step-record';

/**
 * Finds records without visiting all of them: the cost of a step must not grow with the steps before it. State alone counts: the index is
 * made from it, and holds paths only.
 *
 * Invariants: 1. `live` has every record that is not at rest, and may have some that are; 2. `within` has every record below a path;
 * 3. both return records in the order in which they have begun, and change nothing; 4. `paid` has every record with usage.
 */
export interface RecordIndex {
  /** Records whose step waits, works, or may yet begin, whose gate is open, or whose child continues. */
  live(records: InterpreterState['records']): [string, StepRecord][];
  /** Records below a container's path, or below one of its iterations: `build`, `build/tests[3]`. */
  within(records: InterpreterState['records'], outer: string): [string, StepRecord][];
  /** Records of those that have used anything, and of those that are live. */
  paid(records: InterpreterState['records']): StepRecord[];
  /** A record was added or replaced, or a settled one continues. */
  add(path: string): void;
  /** It has settled; with an open gate or child it stays live. */
  settled(path: string, record: StepRecord): void;
  drop(path: string): void;
}

export function indexRecords(records: InterpreterState['records']): RecordIndex {
  /** When each has begun, as a number that grows. */
  const begun = new Map<string, number>();
  const live = new Set<string>();
  /** Settled records with usage. */
  const paid = new Set<string>();
  /** The next paths below a path: `loop` has `loop[3]`, and that has `loop[3]/ask`. Made at its first use. */
  let below: Map<string, Set<string>> | undefined;
  let next = 0;

  function* everyBelow(outer: string): Generator<string> {
    for (const path of allBelow().get(outer) ?? []) {
      if (begun.has(path)) yield path;
      yield* everyBelow(path);
    }
  }

  function entries(of: InterpreterState['records'], paths: Iterable<string>): [string, StepRecord][] {
    const found: [string, StepRecord][] = [];
    for (const path of paths) {
      const record = of[path];
      if (record) found.push([path, record]);
    }
    return found.sort(([one], [other]) => (begun.get(one) ?? 0) - (begun.get(other) ?? 0));
  }

  function allBelow(): Map<string, Set<string>> {
    if (below) return below;
    below = new Map();
    for (const path of begun.keys()) lay(path, below);
    return below;
  }

  function begin(path: string): void {
    if (begun.has(path)) return;
    begun.set(path, next++);
    if (below) lay(path, below);
  }

  function notePaid(path: string, record: StepRecord): void {
    if (record.usage || record.superseded?.some(({ usage }) => usage)) paid.add(path);
  }

  const index: RecordIndex = {
    live: (of) => entries(of, live),
    within: (of, outer) => entries(of, everyBelow(outer)),
    paid: (of) => [...new Set([...paid, ...live])].flatMap((path) => of[path] ?? []),
    add(path) {
      live.add(path);
      begin(path);
    },
    settled(path, record) {
      if (isAtRest(record)) live.delete(path);
      notePaid(path, record);
    },
    drop(path) {
      live.delete(path);
      paid.delete(path);
      begun.delete(path);
      if (!below) return;
      for (let inner = path, outer = above(inner); outer !== undefined; inner = outer, outer = above(inner)) {
        if (below.has(inner) || begun.has(inner)) break;
        const known = below.get(outer);
        known?.delete(inner);
        if (known?.size !== 0) break;
        below.delete(outer);
      }
    },
  };
  for (const path in records) {
    const record = records[path];
    if (!record) continue;
    begin(path);
    if (!isAtRest(record)) live.add(path);
    notePaid(path, record);
  }
  return index;
}

/** Puts a path below those that it lies in. */
function lay(path: string, below: Map<string, Set<string>>): void {
  for (let inner = path, outer = above(inner); outer !== undefined; inner = outer, outer = above(inner)) {
    const known = below.get(outer);
    if (known?.has(inner)) return;
    if (known) known.add(inner);
    else below.set(outer, new Set([inner]));
  }
}

/** Whether nothing is under way or asked at it, and nothing will be in its round. */
export function isAtRest(record: StepRecord): boolean {
  if (!isSettled(record.state) || unansweredGate(record)) return false;
  const child = childStateOf(record);
  return child === undefined || child.ended !== undefined;
}

/** `loop[3]/ask` lies below `loop[3]`, and that below `loop`. */
function above(path: string): string | undefined {
  const cut = path.endsWith(']') ? path.lastIndexOf('[') : path.lastIndexOf('/');
  return cut < 0 ? undefined : path.slice(0, cut);
}
