import { isSettled } from '../../../plan/run/step-state';
import { isWithin } from '../../../plan/steps/address';
import { type LogEntry, type LogScope, partsIn } from '../context/attempt-log';
import type { Run } from '../run';
import type { StepRecord } from '../state/step-record';

/**
 * A step's memory of its calls up to the first that runs again: one that had not ended, or that ran a part which does not stay. Undefined
 * if none of it can be taken over: the try is over, it began with a question to people, or a loop that has forgotten its turns would begin
 * anew.
 */
export function memoryBefore({ attempt }: StepRecord, stays: (part: string) => boolean): LogScope | undefined {
  if (!attempt || attempt.ended || attempt.leave || attempt.asks) return undefined;
  return scopeBefore(attempt.work, stays);
}

function scopeBefore(scope: LogScope, stays: (part: string) => boolean): LogScope | undefined {
  const kept: LogScope = [];
  for (const entry of scope) {
    const isWhole = entry.end !== undefined && partsIn([entry]).every(stays);
    if (isWhole) {
      kept.push(withoutCost(entry));
      continue;
    }
    if (entry.kind !== 'loop' || entry.turn === 1) return kept;
    const inner = entry.end ? undefined : scopeBefore(entry.scope, stays);
    return inner && [...kept, { ...entry, scope: inner }];
  }
  return kept;
}

/** Nothing was paid for it in the new run. */
function withoutCost(entry: LogEntry): LogEntry {
  if (entry.kind !== 'agent' || !entry.end?.value) return entry;
  const { usage: _paid, ...value } = entry.end.value;
  return { ...entry, end: { value } };
}

/**
 * Whether a step had settled before the first of some began; undefined if one of them has left no record. At the same moment the order in
 * which they began decides.
 */
export function settledBefore(
  { state: { records } }: Pick<Run, 'state'>,
  some: readonly string[],
): ((path: string) => boolean) | undefined {
  const order = new Map(Object.keys(records).map((path, i) => [path, i]));
  let first = { atMs: Number.POSITIVE_INFINITY, i: Number.POSITIVE_INFINITY };
  for (const path of some) {
    const [atMs, i] = [records[path]?.times?.startedAtMs, order.get(path)];
    if (atMs === undefined || i === undefined) return undefined;
    if (atMs < first.atMs || (atMs === first.atMs && i < first.i)) first = { atMs, i };
  }
  return (path) => {
    const { state = 'pending', times: { endedAtMs = Number.POSITIVE_INFINITY } = {} } = records[path] ?? {};
    if (!isSettled(state) || isAround(path, some)) return false;
    return endedAtMs < first.atMs || (endedAtMs === first.atMs && (order.get(path) ?? 0) < first.i);
  };
}

/** Whether some of some steps are at or within a path. */
export function isAround(outer: string, some: readonly string[]): boolean {
  return some.some((path) => path === outer || isWithin(path, outer));
}
