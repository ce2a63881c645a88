import { type Figure, figureOf, median } from '../figure';
import { EARLY, LATE, MEMORY_MB, RUNS, STEPS_CASE, STRETCH, WAITING_CASE } from './cases';
import type { StepsAnswer } from './steps-process';

/** The cost of a late step in a long run compared with an early one, and the memory of many waiting runs in their worker. */
export function stepsFigures(answers: readonly StepsAnswer[]): Figure[] {
  const perStep = (what: 'cpuMs' | 'wallMs', { from, to }: typeof EARLY): number =>
    median(answers.map(({ marks }) => ((marks[to]?.[what] ?? Number.NaN) - (marks[from]?.[what] ?? Number.NaN)) / STRETCH));
  const figure = (metric: string, what: 'cpuMs' | 'wallMs', aim: number | null): Figure =>
    figureOf({ bench: 'scale', case: STEPS_CASE, metric, ours: perStep(what, LATE), reference: perStep(what, EARLY), unit: 'ms', aim });
  return [figure('late-by-early-cpu', 'cpuMs', LATE_BY_EARLY), figure('late-by-early-wall', 'wallMs', null)];
}

const LATE_BY_EARLY = 1.1;

export interface WaitingSample {
  peakMb: number;
  waiting: number;
}

export function waitingFigures(samples: readonly WaitingSample[]): Figure[] {
  const of = { bench: 'scale', case: WAITING_CASE } as const;
  const middle = (what: keyof WaitingSample): number => median(samples.map((sample) => sample[what]));
  return [
    figureOf({ ...of, metric: 'peak-memory', ours: middle('peakMb'), reference: MEMORY_MB, unit: 'MB', aim: 1 }),
    figureOf({ ...of, metric: 'waiting', ours: middle('waiting'), reference: RUNS, unit: 'runs', aim: null }),
  ];
}
