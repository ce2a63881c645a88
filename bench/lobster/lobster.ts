import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Bench, BenchOptions } from '../bench';
import { commandLine, distFolder, profiling } from '../compile/stage';
import type { Figure } from '../figure';
import { findLobster, NO_LOBSTER } from '../lobster-program';
import { runProgramWell } from '../run-program';
import { inScratch, type Scratch } from '../scratch';
import { LOBSTER_CASES, type LobsterCase, workflowText } from './cases';
import { type CallSamples, lobsterFigures, type StartSamples } from './figures';
import { startUp } from './up';

/**
 * What a durable call of Lobster's command line costs: whole processes, from their start to their end, of ours and, if it is installed, of
 * Lobster.
 *
 * Invariants: 1. one process is measured at a time; 2. all take turns, and the first one changes with the round; 3. the first turn is not
 * measured: it reads files from the disk and creates the database.
 */
export const lobster: Bench = {
  name: 'lobster',
  doc: '`thermidor lobster run` of 100 steps that do nothing, with `thermidor up` beside it and without, beside Lobster',
  cases: LOBSTER_CASES.map(({ name }) => name),
  measure: measureLobster,
};

const FILE = 'hundred.lobster';

function measureLobster(options: BenchOptions): Promise<Figure[]> {
  const { rounds, say } = options;
  const wanted = LOBSTER_CASES.filter(({ name }) => options.cases.includes(name));
  return inScratch(async (scratch) => {
    say(`Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores; medians of ${rounds}`);
    const program = commandLine(distFolder());
    const theirs = findLobster(process.env, distFolder());
    say(theirs === undefined ? NO_LOBSTER : `Lobster is ${theirs}`);
    const run = callIn(scratch);
    const ours = (folder: string, words: readonly string[]) =>
      run(folder, process.execPath, [...profiling(options.profileDir), program, 'lobster', ...words]);
    const samples = wanted.map((each) => ({ case: each, ours: [] as number[] }));
    const starts = { ours: [] as number[], lobster: [] as number[] };
    const lobsters: number[] = [];
    const warm = folderOf(scratch, 'warm');
    const up = wanted.some(({ server }) => server === 'warm') ? await startUp(program, warm, scratch.signal) : undefined;
    const turns: (() => Promise<[number[], number]>)[] = [
      async () => [starts.ours, await ours(warm, ['version'])],
      ...samples.map((sample) => async (): Promise<[number[], number]> => {
        return [sample.ours, await ours(folderOf(scratch, sample.case.server), ['run', '--mode', 'tool', '--file', FILE])];
      }),
      ...(theirs === undefined ? [] : turnsOf(theirs, starts, lobsters, run, warm)),
    ];
    try {
      for (let round = 0; round <= rounds; round += 1) {
        for (let turn = 0; turn < turns.length; turn += 1) {
          const [into, wallMs] = (await turns[(turn + round) % turns.length]?.()) ?? [[], 0];
          if (round > 0) into.push(wallMs);
        }
        if (round > 0) say(`round ${round}/${rounds} ${inWords(samples, lobsters)}`);
      }
    } finally {
      await up?.end();
    }
    return lobsterFigures(samples, starts, lobsters);
  });
}

type Call = (folder: string, program: string, words: readonly string[]) => Promise<number>;

/** Makes calls with the state of its own folder, whatever the caller's settings. */
function callIn({ folder: root, signal }: Scratch): Call {
  const settings = /^(?:THERMIDOR_(?!TEMPORAL_CLI)|TEMPORAL_|LOBSTER_)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)));
  const ours = { ...env, LOBSTER_STATE_DIR: join(root, 'lobster-state'), NO_COLOR: '1' };
  return async (folder, program, words) => (await runProgramWell(program, words, { cwd: folder, signal, env: ours })).wallMs;
}

function turnsOf(theirs: string, starts: StartSamples & { lobster: number[] }, lobsters: number[], run: Call, folder: string) {
  return [
    async (): Promise<[number[], number]> => [starts.lobster, await run(folder, theirs, ['version'])],
    async (): Promise<[number[], number]> => [lobsters, await run(folder, theirs, ['run', '--mode', 'tool', '--file', FILE])],
  ];
}

function folderOf({ folder }: Scratch, server: LobsterCase['server']): string {
  const path = join(folder, server);
  // A folder with state of its own ignores the folders above it.
  mkdirSync(join(path, '.thermidor'), { recursive: true });
  writeFileSync(join(path, FILE), workflowText());
  return path;
}

function inWords(samples: readonly CallSamples[], lobsters: readonly number[]): string {
  const last = (of: readonly number[]): string => `${((of.at(-1) ?? 0) / 1000).toFixed(2)} s`;
  const ours = samples.map(({ case: { name }, ours: of }) => `${name} ${last(of)}`);
  return [...ours, ...(lobsters.length === 0 ? [] : [`Lobster ${last(lobsters)}`])].join(', ');
}
