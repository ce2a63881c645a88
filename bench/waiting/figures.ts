import { type Figure, figureOf, median } from '../figure';
import { APPROVE_ALL, BUDGET_S } from './cases';

/** Wall-clock of whole processes, in milliseconds. */
export interface WaitingSamples {
  name: string;
  ours: readonly number[];
}

export interface BulkSample {
  wallMs: number;
  waiting: number;
  applied: number;
}

/**
 * How long commands take beyond the client's own start-up, compared with their budget; for the bulk, how many of the waiting gates it
 * decided, and the time for one of them compared with one command for one gate, which has no aim.
 */
export function waitingFigures(samples: readonly WaitingSamples[], starts: readonly number[], bulk: BulkSample | undefined): Figure[] {
  const startMs = median(starts);
  const workS = (ms: number): number => Math.max(0, ms - startMs) / 1000;
  const figures = samples.map(({ name, ours }) =>
    figureOf({ bench: 'waiting', case: name, metric: 'work-by-budget', ours: workS(median(ours)), reference: BUDGET_S, unit: 's', aim: 1 }),
  );
  if (bulk === undefined) return figures;
  const { wallMs, waiting, applied } = bulk;
  const single = samples.find(({ name }) => name.startsWith('approve'));
  const lost = { metric: 'left-by-waiting', ours: waiting - applied, reference: waiting, unit: 'gates', aim: 0 };
  figures.push(figureOf({ bench: 'waiting', case: APPROVE_ALL, ...lost }));
  if (single !== undefined) {
    const each = { metric: 'gate-by-command', ours: workS(wallMs) / waiting, reference: median(single.ours) / 1000, unit: 's', aim: null };
    figures.push(figureOf({ bench: 'waiting', case: APPROVE_ALL, ...each }));
  }
  return figures;
}
