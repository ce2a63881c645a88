import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, figureOf, median } from '../figure';
import { findLobster, NO_LOBSTER } from '../lobster-program';
import { runProgramWell } from '../run-program';
import { SMALL_FILES } from './small-files';
import { commandLine, distFolder, profiling, type Stage } from './stage';

/**
 * How long a short command takes to answer, from the start of its process: ours compared with Lobster's, and with Node alone. Invariants:
 * 1. one process runs at a time; 2. all take turns, and the first one changes with the turn.
 */
const AIM = 1.3;
const TURNS_A_ROUND = 4;

/** Our command and Lobster's; `--version` is the least that Lobster does. */
const PAIRS: readonly { metric: string; ours: readonly string[]; lobster: readonly string[] }[] = [
  { metric: 'version', ours: ['--version'], lobster: ['--version'] },
  { metric: 'validate', ours: ['validate', 'small.yaml'], lobster: ['--version'] },
  { metric: 'validate-schemas', ours: ['validate', 'schemas.yaml'], lobster: ['--version'] },
  { metric: 'validate-lobster', ours: ['validate', 'small.lobster'], lobster: ['graph', '--file', 'small.lobster'] },
  { metric: 'graph-lobster', ours: ['lobster', 'graph', '--file', 'small.lobster'], lobster: ['graph', '--file', 'small.lobster'] },
];

export const START_UP = 'start-up';

export async function measureStartUp(stage: Stage): Promise<Figure[]> {
  const { folder, rounds, say } = stage;
  for (const [file, text] of Object.entries(SMALL_FILES)) writeFileSync(join(folder, file), text);
  const dist = distFolder();
  const lobster = findLobster(process.env, dist);
  say(lobster === undefined ? NO_LOBSTER : `Lobster is ${lobster}`);
  const commands = commandsOf(stage, commandLine(dist), lobster);
  const samples = new Map<string, number[]>(commands.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (let turn = 0; turn < TURNS_A_ROUND; turn += 1) {
      for (const { name, run } of rotated(commands, round + turn)) {
        const wallMs = await run();
        // The files of each program are read from the disk once.
        if (round > 0) samples.get(name)?.push(wallMs);
      }
    }
    if (round > 0) say(`round ${round}/${rounds} ${START_UP}`);
  }
  return startUpFigures(new Map([...samples].map(([name, of]) => [name, median(of)])));
}

interface Command {
  name: string;
  run(): Promise<number>;
}

const NODE = 'node';

function commandsOf({ folder, signal, profileDir }: Stage, ours: string, lobster: string | undefined): Command[] {
  const command = (name: string, program: string, args: readonly string[]): Command => ({
    name,
    run: async () => (await runProgramWell(program, args, { cwd: folder, signal, env: { ...process.env, NO_COLOR: '1' } })).wallMs,
  });
  const found = new Map<string, Command>([[NODE, command(NODE, process.execPath, ['--eval', ''])]]);
  for (const { metric, ours: words, lobster: theirs } of PAIRS) {
    found.set(oursOf(metric), command(oursOf(metric), process.execPath, [...profiling(profileDir), ours, ...words]));
    if (lobster !== undefined) found.set(lobsterOf(theirs), command(lobsterOf(theirs), lobster, theirs));
  }
  return [...found.values()];
}

/** @param medians in milliseconds, by the command's name; without Lobster's only Node is left to compare with */
export function startUpFigures(medians: ReadonlyMap<string, number>): Figure[] {
  const figure = (metric: string, reference: string, oursMs: number, aim: number | null): Figure[] => {
    const referenceMs = medians.get(reference);
    return referenceMs === undefined
      ? []
      : [figureOf({ bench: 'compile', case: START_UP, metric, ours: oursMs, reference: referenceMs, unit: 'ms', aim })];
  };
  return PAIRS.flatMap(({ metric, lobster }) => {
    const oursMs = medians.get(oursOf(metric));
    if (oursMs === undefined) return [];
    return [...figure(metric, lobsterOf(lobster), oursMs, AIM), ...figure(`${metric}-by-node`, NODE, oursMs, null)];
  });
}

export function oursOf(metric: string): string {
  return `thermidor: ${metric}`;
}

export function lobsterOf(words: readonly string[]): string {
  return `lobster ${words.join(' ')}`;
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
