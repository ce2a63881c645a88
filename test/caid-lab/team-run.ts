import type { Evidence, Violation } from '../../bench/caid/evidence';
import { judge } from '../../bench/caid/judge';
import { testBy } from '../../bench/caid/judge-advances';
import type { Library } from '../../bench/caid/library';
import { testCommand } from '../../bench/caid/unit-graph';
import type { Isolation } from '../../kinds/caid/rules/team';
import { defined } from '../../plan/defined';
import type { JournalEntry } from '../../plan/run/journal';
import { type LabFolder, type LabOptions, makeLabFolder } from './lab-folder';

/** A CAID run over a library with stubs, whose engineers are oracles, and the results that it leaves for the judge. */
export const PIPELINE = 'restore';

interface Place {
  folder: string;
  write(name: string, text: string): string;
  path(name: string): string;
}

export interface TeamOptions extends LabOptions {
  engineers: number;
  /** @default the checkout of the lab */
  repo?: string;
  /** The queue of the workers that do the team's work. */
  queue?: string;
  /** @default `worktree` */
  isolation?: Isolation;
}

/** For a single engineer who gets every task of a library. */
const ROUNDS = 60;

/** Files that no engineer may touch: the tests, and the list of those that are ready. */
const GUARDED = ['test/**', 'lab/**'];

/** The folder has a repository, settings and a pipeline then, and nothing has run. */
export function writeTeam(
  place: Place,
  library: Library,
  { engineers, repo = 'repository', queue: of, isolation, ...options }: TeamOptions,
): LabFolder {
  const lab = makeLabFolder(place.folder, library, options);
  const queue = { repo, branch: 'main', test: testCommand(), format: 'tap', min_tests: 1 };
  place.write('thermidor.yaml', JSON.stringify({ adapters: { oracle: { kind: 'cli', command: lab.oracle } }, queues: { lab: queue } }));
  const build = {
    ...{ id: 'build', type: 'caid', prompt: 'Restore the library.', repo, into: 'main', manager: 'engineer' },
    ...defined({ queue: of, isolation }),
    ...{ engineers: { agent: 'engineer', max: engineers }, test: testCommand(), restricted: GUARDED, limits: { rounds: ROUNDS } },
  };
  const agents = { engineer: { role: 'You write code.', adapter: 'oracle' } };
  place.write(`pipelines/${PIPELINE}.yaml`, JSON.stringify({ name: PIPELINE, agents, steps: [build] }));
  return lab;
}

/** In one checkout the files of a task also land with candidates of other tasks, so which candidate brought them says nothing. */
export function judgeTeam(evidence: Evidence, isolation: Isolation = 'worktree'): Violation[] {
  return judge(evidence).filter(({ kind }) => isolation !== 'shared' || (kind !== 'merged-twice' && kind !== 'not-merged'));
}

/** `trees`: the folder of worktrees that the run's workers had. */
export function evidenceOf({ repository, base, lab, diary }: LabFolder, entries: readonly JournalEntry[], trees: string): Evidence {
  const team = entries.flatMap((entry) => (entry.kind === 'team' && entry.task !== undefined ? [{ ...entry, task: entry.task }] : []));
  const merged = team.filter(({ event }) => event === 'merged');
  return {
    ...{ repository, branch: 'main', base, reference: lab.reference, units: lab.graph.units },
    dispatched: diary().flatMap(({ event, task, head }) => (event === 'begun' && head !== undefined ? [{ task, base: head }] : [])),
    journal: team.flatMap(({ event, task }) => (event === 'assigned' || event === 'merged' ? [{ event, task }] : [])),
    merged: merged.map(({ task, commit = '' }) => ({ task, result: commit })),
    test: testBy(testCommand()),
    // Refs of engineers and the manager are kept for some days.
    keptRefs: /^refs\/thermidor\/[^/]+\/build(%5B\d+%5D)?%2Fbuild_(manager|engineer|tests|review)\/\d+$/,
    folders: [repository],
    worktreeFolders: [`${trees}/trees`, `${trees}/records`],
  };
}
