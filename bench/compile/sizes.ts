import { join } from 'node:path';
import { PLAN_LIMIT_BYTES, STEP_LIMIT } from '../../plan/run/artifact';
import { type Figure, figureOf, type Measured, median } from '../figure';
import { runProgramWell } from '../run-program';
import { type CompileAnswer, type CompileTask, readAnswer, type SizeAnswer } from './compile-messages';
import type { PipelineName } from './pipelines';
import { profiling, type Stage } from './stage';

/** The budget of compiling: milliseconds, times as long as a tenth of the steps, bytes. */
const AIMS = { warmMs: 50, growth: 12, peakBytes: 200_000_000 } as const;

const MEGABYTE = 1_000_000;
const SHORT = 1_000;
const HALF = 5_000;
const LONG = 10_000;

export interface LongCase {
  name: string;
  pipeline: PipelineName;
}

export const SHORT_CASE = { name: 'mixed-1000', pipeline: 'mixed' } as const;

export const LONG_CASES: readonly LongCase[] = [
  { name: 'graph-10000', pipeline: 'graph' },
  { name: 'children-10000', pipeline: 'children' },
  { name: 'mixed-10000', pipeline: 'mixed' },
];

/** Runs one process for each round, which warms the code first. */
export async function measureShort(stage: Stage): Promise<Figure[]> {
  const rounds: CompileAnswer[] = [];
  for (let round = 1; round <= stage.rounds; round += 1) {
    rounds.push(await compileInProcess(stage, { pipeline: SHORT_CASE.pipeline, sizes: [WARM_SHORT] }));
  }
  return shortFigures(rounds.map(({ sizes }) => onlySize(sizes, SHORT)));
}

/** Runs two processes each round: one that compiles all lengths warm, and one that compiles the long one once, for its memory. */
export async function measureLong(stage: Stage, of: LongCase): Promise<Figure[]> {
  const { pipeline, name } = of;
  const rounds: LongRound[] = [];
  for (let round = 1; round <= stage.rounds; round += 1) {
    const { sizes } = await compileInProcess(stage, { pipeline, sizes: [WARM_SHORT, WARM_HALF, WARM_LONG] });
    const once = await compileInProcess(stage, { pipeline, sizes: [ONCE] });
    const [short, half, long] = [onlySize(sizes, SHORT), onlySize(sizes, HALF), onlySize(sizes, LONG)];
    if (long.refused !== undefined) throw new Error(`${name}: ${long.refused}`);
    rounds.push({ short, half, long, peakBytes: once.peakBytes });
    stage.say(`round ${round}/${stage.rounds} ${name}: ${long.warmMs.toFixed(0)} ms, ${(once.peakBytes / 1e6).toFixed(0)} MB`);
  }
  return longFigures(of, rounds);
}

/** Optimised code is ready after some thirty compilations, before the longer ones begin. A sample is 10,000 steps, whatever the length. */
const WARM_SHORT = { steps: SHORT, warmUps: 40, samples: 7, times: LONG / SHORT };
const WARM_HALF = { steps: HALF, warmUps: 3, samples: 7, times: LONG / HALF };
const WARM_LONG = { steps: LONG, warmUps: 3, samples: 7, times: 1 };
const ONCE = { steps: LONG, warmUps: 1, samples: 0, times: 1 };

export interface LongRound {
  short: SizeAnswer;
  half: SizeAnswer;
  long: SizeAnswer;
  peakBytes: number;
}

export function shortFigures(rounds: readonly SizeAnswer[]): Figure[] {
  const [warmMs, firstMs] = [median(rounds.map((round) => round.warmMs)), median(rounds.map((round) => round.firstMs))];
  return [
    figure(SHORT_CASE.name, 'warm', warmMs, AIMS.warmMs, 'ms', 1),
    figure(SHORT_CASE.name, 'first', firstMs, warmMs, 'ms', null),
    ...planFigures(SHORT_CASE.name, rounds),
  ];
}

export function longFigures({ name, pipeline }: LongCase, rounds: readonly LongRound[]): Figure[] {
  const of = (read: (round: LongRound) => number): number => median(rounds.map(read));
  const longMs = of(({ long }) => long.warmMs);
  const [shortMs, halfMs] = [of(({ short }) => short.warmMs), of(({ half }) => half.warmMs)];
  const peakMb = of(({ peakBytes }) => peakBytes) / MEGABYTE;
  const plans = pipeline === 'graph' ? rounds.map(({ long }) => long) : [];
  return [
    figure(name, 'growth', longMs, shortMs, 'ms', AIMS.growth),
    figure(name, 'growth-from-5000', longMs, halfMs, 'ms', null),
    figure(name, 'peak-memory', peakMb, AIMS.peakBytes / MEGABYTE, 'MB', 1),
    ...planFigures(name, plans),
  ];
}

/** The size of a step in the plan, compared with the share that it may have if the largest number of steps should fit. */
function planFigures(name: string, rounds: readonly SizeAnswer[]): Figure[] {
  const perStep = rounds.flatMap(({ planBytes, steps }) => (planBytes === undefined ? [] : [planBytes / steps]));
  return perStep.length === 0 ? [] : [figure(name, 'plan-bytes-per-step', median(perStep), PLAN_LIMIT_BYTES / STEP_LIMIT, 'B', null)];
}

async function compileInProcess({ folder, signal, profileDir }: Stage, task: CompileTask) {
  const args = [...profiling(profileDir), join(__dirname, 'compile-process.js'), JSON.stringify(task)];
  const { stdout } = await runProgramWell(process.execPath, args, { cwd: folder, signal });
  return readAnswer(stdout);
}

function onlySize(sizes: readonly SizeAnswer[], steps: number): SizeAnswer {
  const found = sizes.find((size) => size.steps === steps);
  if (!found) throw new Error(`nothing was measured of ${steps} steps`);
  return found;
}

function figure(name: string, metric: string, ours: number, reference: number, unit: string, aim: Measured['aim']): Figure {
  return figureOf({ bench: 'compile', case: name, metric, ours, reference, unit, aim });
}
