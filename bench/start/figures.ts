import { type Figure, figureOf, median } from '../figure';
import type { StartCase } from './cases';

/** Wall-clock of whole processes, in milliseconds. */
export interface StartSamples {
  case: StartCase;
  ours: readonly number[];
  /** The same command without compiled code of earlier processes. Empty: this Node keeps none. */
  uncached: readonly number[];
}

/**
 * Compares each command with Node's own start in the same turns and, if Node keeps compiled code, with itself without it, which has no aim.
 */
export function startFigures(samples: readonly StartSamples[], node: readonly number[]): Figure[] {
  return samples.flatMap(({ case: { name, aim }, ours, uncached }) => {
    const of = (metric: string, reference: readonly number[], highest: number | null): Figure =>
      figureOf({ bench: 'start', case: name, metric, ours: median(ours), reference: median(reference), unit: 'ms', aim: highest });
    return [of('by-node', node, aim), ...(uncached.length === 0 ? [] : [of('by-uncached', uncached, null)])];
  });
}
