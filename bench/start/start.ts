import { mkdirSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Bench, BenchOptions } from '../bench';
import { commandLine, distFolder, profiling } from '../compile/stage';
import type { Figure } from '../figure';
import { startUp } from '../lobster/up';
import { runProgramWell } from '../run-program';
import { inScratch, type Scratch } from '../scratch';
import { PIPELINE, PIPELINE_FILE, START_CASES, type StartCase } from './cases';
import { startFigures } from './figures';

/**
 * How long commands that do almost nothing take from the start of their process to its end.
 *
 * Invariants: 1. one process is measured at a time; 2. all take turns, and the first one changes with the round; 3. the first turn is not
 * measured: it reads files from the disk, creates databases and, if Node can, keeps compiled code.
 */
export const start: Bench = {
  name: 'start',
  doc: 'commands that do almost nothing, compared with Node’s own start',
  cases: START_CASES.map(({ name }) => name),
  measure: measureStart,
};

type Call = (
  words: readonly string[],
  of?: { server?: StartCase['server']; uncached?: boolean },
) => Promise<{ wallMs: number; stdout: string }>;

function measureStart(options: BenchOptions): Promise<Figure[]> {
  const { rounds, say } = options;
  const wanted = START_CASES.filter(({ name }) => options.cases.includes(name));
  return inScratch(async (scratch) => {
    const keeps = 'enableCompileCache' in module;
    const kept = keeps ? 'compiled code is kept' : 'no compiled code is kept, which takes Node 22.8';
    say(`Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores; ${kept}; medians of ${rounds}`);
    const program = commandLine(distFolder());
    const call = callIn(scratch, [...profiling(options.profileDir), program]);
    const up = wanted.some(({ server }) => server === 'warm')
      ? await startUp(program, folderOf(scratch, 'warm'), scratch.signal)
      : undefined;
    try {
      const run = up === undefined ? '' : runIn((await call(['run', PIPELINE_FILE, '--json'], { server: 'warm' })).stdout);
      const node: number[] = [];
      const samples = wanted.map((each) => ({ case: each, ours: [] as number[], uncached: [] as number[] }));
      const turns = [
        { into: node, play: async () => (await runNode(scratch)).wallMs },
        ...samples.flatMap(({ case: { words, server }, ours, uncached }) => {
          const named = words.map((word) => (word === 'RUN' ? run : word));
          return [
            { into: ours, play: async () => (await call(named, { server })).wallMs },
            ...(keeps ? [{ into: uncached, play: async () => (await call(named, { server, uncached: true })).wallMs }] : []),
          ];
        }),
      ];
      for (let round = 0; round <= rounds; round += 1) {
        for (const { into, play } of [...turns.slice(round % turns.length), ...turns.slice(0, round % turns.length)]) {
          const wallMs = await play();
          if (round > 0) into.push(wallMs);
        }
        if (round > 0)
          say(`round ${round}/${rounds} ${samples.map(({ case: { name }, ours }) => `${name} ${ours.at(-1)?.toFixed(0)} ms`).join(', ')}`);
      }
      return startFigures(samples, node);
    } finally {
      await up?.end();
    }
  });
}

function runNode({ folder, signal }: Scratch) {
  return runProgramWell(process.execPath, ['--eval', ''], { cwd: folder, signal });
}

/** Makes calls with the state of its own folder, whatever the settings of the person who measures. */
function callIn(scratch: Scratch, program: readonly string[]): Call {
  const settings = /^(?:THERMIDOR_(?!TEMPORAL_CLI)|TEMPORAL_)/;
  const env = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name))), NO_COLOR: '1' };
  return (words, { server = 'none', uncached = false } = {}) =>
    runProgramWell(process.execPath, [...program, ...words], {
      cwd: folderOf(scratch, server),
      signal: scratch.signal,
      env: uncached ? { ...env, NODE_DISABLE_COMPILE_CACHE: '1' } : env,
    });
}

function folderOf({ folder }: Scratch, server: StartCase['server']): string {
  const path = join(folder, server);
  mkdirSync(join(path, '.thermidor'), { recursive: true });
  writeFileSync(join(path, PIPELINE_FILE), PIPELINE);
  return path;
}

function runIn(stdout: string): string {
  const answer: unknown = JSON.parse(stdout);
  if (typeof answer !== 'object' || answer === null || !('run' in answer) || typeof answer.run !== 'string')
    throw new Error(`no run was started: ${stdout}`);
  return answer.run;
}
