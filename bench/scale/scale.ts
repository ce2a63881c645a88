import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { acquireServer } from '../../cli/embedded/server';
import type { Bench, BenchOptions } from '../bench';
import { profiling } from '../compile/stage';
import type { Figure } from '../figure';
import { runProgramWell } from '../run-program';
import { inScratch, type Scratch } from '../scratch';
import { EARLY, LATE, RUNS, STEPS, STEPS_CASE, STRETCH, WAITING_CASE } from './cases';
import { stepsFigures, type WaitingSample, waitingFigures } from './figures';
import { readStepsAnswer, type StepsAnswer } from './steps-process';
import { measureWaiting } from './waiting-runs';

/**
 * What grows with a run's length and with the number of runs.
 *
 * Invariants: 1. each round has a server with an empty database, and a worker of its own; 2. both stretches of a run are of one process,
 * whose code is warm after the first hundred steps.
 */
export const scale: Bench = {
  name: 'scale',
  doc: `a step late in a run of ${STEPS} beside an early one, and the memory of a worker with ${RUNS} waiting runs`,
  cases: [STEPS_CASE, WAITING_CASE],
  measure: measureScale,
};

function measureScale({ cases, rounds, say, profileDir }: BenchOptions): Promise<Figure[]> {
  return inScratch(async (scratch) => {
    say(`Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores; medians of ${rounds}`);
    const steps: StepsAnswer[] = [];
    const waiting: WaitingSample[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      if (cases.includes(STEPS_CASE)) {
        const answer = await runSteps(scratch, round, say, profileDir);
        steps.push(answer);
        say(`round ${round}/${rounds} ${STEPS_CASE}: ${inWords(answer)}`);
      }
      if (cases.includes(WAITING_CASE)) {
        const sample = await measureWaiting(scratch, say, profileDir);
        waiting.push(sample);
        say(`round ${round}/${rounds} ${WAITING_CASE}: ${sample.peakMb.toFixed(0)} MB with ${sample.waiting} waiting`);
      }
    }
    return [...(steps.length > 0 ? stepsFigures(steps) : []), ...(waiting.length > 0 ? waitingFigures(waiting) : [])];
  });
}

async function runSteps({ folder, signal }: Scratch, round: number, say: BenchOptions['say'], profileDir?: string): Promise<StepsAnswer> {
  const server = await acquireServer({ stateDir: join(folder, `steps-${round}`), role: 'look', onProgress: say });
  try {
    const args = [...profiling(profileDir), join(__dirname, 'steps-process.js'), server.address];
    const { stdout } = await runProgramWell(process.execPath, args, { cwd: folder, signal });
    return readStepsAnswer(stdout);
  } finally {
    await server.release();
  }
}

function inWords({ marks, executions, peakMb }: StepsAnswer): string {
  const cpu = ({ from, to }: typeof EARLY): string =>
    `${(((marks[to]?.cpuMs ?? Number.NaN) - (marks[from]?.cpuMs ?? Number.NaN)) / STRETCH).toFixed(2)} ms`;
  return `CPU a step ${cpu(EARLY)} early, ${cpu(LATE)} late; ${executions} executions, ${peakMb.toFixed(0)} MB`;
}
