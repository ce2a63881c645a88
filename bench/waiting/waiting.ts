import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectClient, type ThermidorClient } from '../../client/connect';
import { listRuns } from '../../client/list-runs';
import { startRun } from '../../client/start-run';
import type { Bench, BenchOptions } from '../bench';
import { commandLine, distFolder, profiling } from '../compile/stage';
import type { Figure } from '../figure';
import { startUp } from '../lobster/up';
import { runProgram, runProgramWell } from '../run-program';
import { inScratch, type Scratch } from '../scratch';
import { APPROVE_ALL, APPROVE_ALL_WORDS, PIPELINE, pipelineText, RUNS, WAITING_CASES } from './cases';
import { type BulkSample, type WaitingSamples, waitingFigures } from './figures';

/**
 * What people's commands cost while hundreds of runs wait for them, on the embedded server: whole processes, compared with the same command
 * when nothing waits.
 *
 * Invariants: 1. one process is measured at a time; 2. all take turns, and the first one changes with the round; 3. the first turn is not
 * measured.
 */
export const waiting: Bench = {
  name: 'waiting',
  doc: `inbox, list and approve with ${RUNS} runs waiting at their gates, and a bulk approval of them all`,
  cases: [...WAITING_CASES.map(({ name }) => name), APPROVE_ALL],
  measure: measureWaiting,
};

/** Another task queue of the same server: nothing waits there, so the command's time is its start. */
const NOTHING_WAITS = ['inbox', '--json', '--task-queue', 'nothing-waits-here'] as const;
const STARTED_AT_ONCE = 25;
const LOOK_MS = 250;

function measureWaiting(options: BenchOptions): Promise<Figure[]> {
  const { rounds, say } = options;
  const wanted = WAITING_CASES.filter(({ name }) => options.cases.includes(name));
  return inScratch(async (scratch) => {
    say(`Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores; medians of ${rounds}`);
    const folder = farm(scratch);
    const program = commandLine(distFolder());
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTINGS.test(name)));
    const call = (words: readonly string[]) =>
      runProgramWell(process.execPath, [...profiling(options.profileDir), program, ...words], {
        cwd: folder,
        signal: scratch.signal,
        env: { ...env, NO_COLOR: '1' },
      });
    const up = await startUp(program, folder, scratch.signal);
    try {
      const runs = await startAll(await addressOf(call), scratch.signal, say);
      const samples = wanted.map((each) => ({ case: each, name: each.name, ours: [] as number[] }));
      const starts: number[] = [];
      const turns: (() => Promise<[number[], number]>)[] = [
        async () => [starts, (await call(NOTHING_WAITS)).wallMs],
        ...samples.map((sample) => async (): Promise<[number[], number]> => {
          const words = sample.case.words.map((word) => (word === 'RUN' ? (runs.pop() ?? '') : word));
          return [sample.ours, (await call(words)).wallMs];
        }),
      ];
      for (let round = 0; round <= rounds; round += 1) {
        for (let turn = 0; turn < turns.length; turn += 1) {
          const [into, wallMs] = (await turns[(turn + round) % turns.length]?.()) ?? [[], 0];
          if (round > 0) into.push(wallMs);
        }
        if (round > 0) say(`round ${round}/${rounds} ${inWords(samples, starts)}`);
      }
      const bulk = options.cases.includes(APPROVE_ALL) ? await approveAll(program, folder, scratch.signal, runs.length) : undefined;
      if (bulk) say(`approve --all: ${bulk.applied} of ${bulk.waiting} in ${(bulk.wallMs / 1000).toFixed(1)} s`);
      return waitingFigures(samples, starts, bulk);
    } finally {
      await up.end();
    }
  });
}

const SETTINGS = /^(?:THERMIDOR_(?!TEMPORAL_CLI)|TEMPORAL_)/;

/** A folder with state of its own and one pipeline. */
function farm({ folder }: Scratch): string {
  const path = join(folder, 'waiting');
  mkdirSync(join(path, 'pipelines'), { recursive: true });
  mkdirSync(join(path, '.thermidor'), { recursive: true });
  writeFileSync(join(path, 'pipelines', `${PIPELINE}.yaml`), pipelineText());
  return path;
}

/** The address, as a command that is started there prints it. */
async function addressOf(call: (words: readonly string[]) => Promise<{ stdout: string }>): Promise<string> {
  const { stdout } = await call(['run', `pipelines/${PIPELINE}.yaml`, '--detach', '--json']);
  const answer: unknown = JSON.parse(stdout);
  if (typeof answer !== 'object' || answer === null || !('address' in answer) || typeof answer.address !== 'string') {
    throw new Error(`run --detach named no address\n${stdout}`);
  }
  return answer.address;
}

/** Starts the runs and returns their ids, once all wait. */
async function startAll(address: string, signal: AbortSignal, say: BenchOptions['say']): Promise<string[]> {
  const client = await connectClient({ address, namespace: 'default' });
  try {
    const begun = performance.now();
    for (let i = 0; i < RUNS - 1; i += STARTED_AT_ONCE) {
      const some = Array.from({ length: Math.min(STARTED_AT_ONCE, RUNS - 1 - i) }, (_, j) => i + j);
      await Promise.all(
        some.map((n) => startRun(client, { workflowId: `${PIPELINE}-20260101-${String(n).padStart(6, '0')}`, pipeline: PIPELINE })),
      );
    }
    const runs = await untilWaiting(client, RUNS, signal);
    say(`${runs.length} runs wait after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    return runs;
  } finally {
    await client.close();
  }
}

async function untilWaiting(client: ThermidorClient, wanted: number, signal: AbortSignal): Promise<string[]> {
  for (;;) {
    const runs = await listRuns(client, { waiting: true, limit: 2 * wanted });
    if (runs.length >= wanted) return runs.map(({ run }) => run);
    await wait(LOOK_MS, undefined, { signal });
  }
}

/** Exit 1 is acceptable too: some were not decided. */
async function approveAll(program: string, folder: string, signal: AbortSignal, waitingRuns: number): Promise<BulkSample> {
  const { stdout, stderr, wallMs } = await runProgram(process.execPath, [program, ...APPROVE_ALL_WORDS], { cwd: folder, signal });
  const answer: unknown = stdout === '' ? undefined : JSON.parse(stdout);
  if (typeof answer !== 'object' || answer === null || !('applied' in answer) || typeof answer.applied !== 'number')
    throw new Error(stderr || stdout);
  return { wallMs, waiting: waitingRuns, applied: answer.applied };
}

function inWords(samples: readonly WaitingSamples[], starts: readonly number[]): string {
  const last = (of: readonly number[]): string => `${((of.at(-1) ?? 0) / 1000).toFixed(2)} s`;
  return [`start ${last(starts)}`, ...samples.map(({ name, ours }) => `${name} ${last(ours)}`)].join(', ');
}
