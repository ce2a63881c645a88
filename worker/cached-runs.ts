import { getHeapStatistics } from 'node:v8';

const MIB = 2 ** 20;
/** The share of the heap's limit for each cached run: one of ten thousand steps takes some 10 MiB and most take less than one. */
const HEAP_PER_RUN = 16 * MIB;
const LEAST = 50;
/** A waiting run needs no cache. This many are busy at once only if a worker has more activities than the default of 100. */
const MOST = 125;

/**
 * How many runs a worker keeps in memory, if no setting says so: one for each 16 MiB that the heap may have (Node's `--max-old-space-size`,
 * which follows the memory of the machine or container), at least 50 and at most 125.
 *
 * A run that is not kept is replayed from its history when something happens to it: that takes milliseconds, and keeping it takes memory as
 * long as it waits.
 */
export function defaultCachedRuns(heapLimitBytes: number = getHeapStatistics().heap_size_limit): number {
  return Math.min(MOST, Math.max(LEAST, Math.floor(heapLimitBytes / HEAP_PER_RUN)));
}
