import { type Figure, figureOf, median } from '../figure';
import type { LobsterCase } from './cases';

/** Wall-clock of whole processes, in milliseconds. */
export interface CallSamples {
  case: LobsterCase;
  ours: readonly number[];
}

/** Times of the processes that do nothing but start. */
export interface StartSamples {
  ours: readonly number[];
  lobster: readonly number[];
}

/**
 * How long calls take beyond the start of their process, compared with the budget, and with Lobster's, if it is installed. Lobster is not
 * durable, so that figure has no aim.
 */
export function lobsterFigures(calls: readonly CallSamples[], starts: StartSamples, lobster: readonly number[]): Figure[] {
  const startMs = median(starts.ours);
  const theirs = lobster.length === 0 ? undefined : (median(lobster) - median(starts.lobster)) / 1000;
  return calls.flatMap(({ case: { name, budgetS }, ours }) => {
    const workS = (median(ours) - startMs) / 1000;
    const figure = (metric: string, reference: number, aim: number | null): Figure =>
      figureOf({ bench: 'lobster', case: name, metric, ours: workS, reference, unit: 's', aim });
    return [figure('work-by-budget', budgetS, 1), ...(theirs === undefined ? [] : [figure('work-by-lobster', theirs, null)])];
  });
}
