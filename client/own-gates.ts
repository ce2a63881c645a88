import type { RunSummary } from './run-summary';

/**
 * Gates of a child pipeline are its parent's too, and are answered there. A child is listed by itself if its parent shows none, because it
 * is gone or does not know of the gate yet: no question may go unseen.
 */
export function withoutChildren(runs: readonly RunSummary[]): RunSummary[] {
  const waiting = new Set(runs.map(({ run }) => run));
  return runs.filter(({ parent }) => parent === undefined || !waiting.has(parent));
}
