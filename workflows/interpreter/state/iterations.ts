import { loopStateOf, roundsOf } from './kind-state';
import type { StepRecord } from './step-record';

/** How far a loop is: the numbers of those that have begun and are not over, and how many are over of how many. */
export interface Iterations {
  live: readonly number[];
  done: number;
  total: number;
}

/** Undefined if it has not begun. */
export function iterationsOf(record: StepRecord | undefined): Iterations | undefined {
  const loop = loopStateOf(record);
  if (loop) return { live: loop.live, done: loop.next - loop.live.length, total: loop.total };
  const rounds = roundsOf(record);
  if (!rounds) return undefined;
  const { over, limit, met } = rounds;
  return { live: met || over === limit ? [] : [over + 1], done: over, total: met ? over : limit };
}
