import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { bound } from '../../kinds/caid/rules/bound';
import type { TeamReport } from '../../kinds/caid/rules/report';
import type { Bench, BenchOptions } from '../bench';
import { git } from '../caid/git-command';
import { AIMED_ENGINEERS, speedUpKept } from '../caid/speed-up';
import { commandLine, distFolder, profiling } from '../compile/stage';
import type { Figure } from '../figure';
import { runProgramWell } from '../run-program';
import { inScratch, type Scratch } from '../scratch';
import { CASE, teamFigures } from './figures';
import { latencyOf, PIPELINE, pipelineText, scriptText, TASKS } from './tasks';

/**
 * Teams of 1, 2, 4 and 8 engineers with the same sixteen tasks, as a user would run them: on the embedded server, with real git. Sleeps
 * stand for the work and the tests.
 *
 * Invariants: 1. one team is measured at a time, in a folder of its own; 2. a run in which a candidate came back is no measurement, and
 * fails.
 */
export const teams: Bench = {
  name: 'teams',
  doc: `caid: ${TASKS.length} tasks by 1, 2, 4 and 8 engineers`,
  cases: [CASE],
  measure: measureTeams,
};

const RUN = 'measured';
const SETTINGS = /^(TEMPORAL_|THERMIDOR_(?!TEMPORAL_CLI))/;

function measureTeams({ rounds, say, profileDir }: BenchOptions): Promise<Figure[]> {
  return inScratch(async (scratch) => {
    say(`Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores; medians of ${rounds}`);
    const samples = new Map<number, number[]>();
    for (let round = 1; round <= rounds; round += 1) {
      for (const engineers of [1, ...AIMED_ENGINEERS]) {
        const wallMs = await measureTeam(scratch, engineers, profileDir);
        samples.set(engineers, [...(samples.get(engineers) ?? []), wallMs]);
        say(`round ${round}/${rounds} ${engineers} engineers: ${(wallMs / 1000).toFixed(1)} s${keptIn(samples, engineers)}`);
      }
    }
    return teamFigures(samples);
  });
}

/** Returns the time from the first assignment to the last merge. */
async function measureTeam(scratch: Scratch, engineers: number, profileDir: string | undefined): Promise<number> {
  const folder = farm(scratch, engineers);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTINGS.test(name)));
  const ask = (...words: string[]) =>
    runProgramWell(process.execPath, [...profiling(profileDir), commandLine(distFolder()), ...words], {
      cwd: folder,
      signal: scratch.signal,
      env: { ...env, NO_COLOR: '1', THERMIDOR_WORKTREES: join(folder, 'trees') },
    });
  await ask('run', PIPELINE, '--id', RUN, '--script', 'sleeps');
  const { reports }: { reports: TeamReport[] } = JSON.parse((await ask('caid', 'report', RUN, '--json')).stdout);
  const [{ bound: measured, returned } = { returned: {} }] = reports;
  const again = Object.keys(returned);
  if (again.length > 0 || !measured) throw new Error(`the team of ${engineers} has not merged each task at once: ${again.join(', ')}`);
  return measured.measuredMs;
}

function farm({ folder }: Scratch, engineers: number): string {
  const path = mkdtempSync(join(folder, 'team-'));
  for (const below of ['pipelines/scripts', 'repository']) mkdirSync(join(path, below), { recursive: true });
  writeFileSync(join(path, 'pipelines', `${PIPELINE}.yaml`), pipelineText(engineers));
  writeFileSync(join(path, 'pipelines', 'scripts', 'sleeps.yaml'), scriptText());
  const repository = join(path, 'repository');
  git(repository, 'init', '-q', '-b', 'main');
  git(repository, 'commit', '-q', '--allow-empty', '-m', 'begin');
  return path;
}

function keptIn(samples: ReadonlyMap<number, readonly number[]>, engineers: number): string {
  const [one, many] = [samples.get(1)?.at(-1), samples.get(engineers)?.at(-1)];
  if (engineers === 1 || one === undefined || many === undefined) return '';
  const possible = (count: number): number => bound({ units: TASKS }, latencyOf, count).finishMs;
  const kept = speedUpKept({ one: possible(1), many: possible(engineers) }, { one, many });
  return `, ${kept.toFixed(2)} of the possible speed-up`;
}
