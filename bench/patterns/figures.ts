import { type Figure, figureOf, median } from '../figure';
import type { PatternCase } from './cases';

/** One run. */
export interface PatternSample {
  /** From its start to its end, by the server's clock. */
  wallMs: number;
  /** The events of all executions together. */
  events: number;
}

export interface PatternSamples {
  case: PatternCase;
  pattern: PatternSample[];
  byHand: PatternSample[];
}

const AIM = 1.1;

export function patternFigures(samples: readonly PatternSamples[]): Figure[] {
  return samples.flatMap(({ case: { name }, pattern, byHand }) => {
    const of = (field: keyof PatternSample, metric: string, unit: string): Figure => {
      const [ours, reference] = [pattern, byHand].map((side) => median(side.map((sample) => sample[field])));
      return figureOf({
        bench: 'patterns',
        case: name,
        metric,
        ours: ours ?? Number.NaN,
        reference: reference ?? Number.NaN,
        unit,
        aim: AIM,
      });
    };
    return [of('wallMs', 'wall', 'ms'), of('events', 'events', 'events')];
  });
}
