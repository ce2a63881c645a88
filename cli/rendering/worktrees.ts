import { defined } from '../../plan/defined';
import type { JudgedWorktree, SweepReport } from '../../worker/worktrees/janitor';
import type { WorktreeState } from '../../worker/worktrees/judge-worktree';
import type { Swept } from '../../worker/worktrees/swept';
import type { Terminal } from '../terminal';
import { renderTable } from './text/table';
import { elapsed } from './text/time';

/** A worktree of this host, as lists show it. */
export interface ListedWorktree {
  run: string;
  /** Id of the run's first execution, which its refs are named for. */
  runId: string;
  step: string;
  epoch: number;
  state: WorktreeState;
  why: string;
  host: string;
  repository: string;
  branch: string;
  folder: string;
  portBase: number;
  createdAt: string;
  keep?: true;
  /** What its task calls it. */
  label?: string;
}

export function listedWorktree({ record, state, why }: JudgedWorktree): ListedWorktree {
  const { workflowId, run, slot, epoch, host, repository, branch, folder, portBase, createdAt, keep, label } = record;
  return {
    ...{ run: workflowId, runId: run, step: slot, epoch, state, why, host, repository, branch, folder, portBase, createdAt },
    ...defined({ keep, label }),
  };
}

type Place = Pick<Terminal, 'colors' | 'live' | 'columns'>;

export function renderWorktrees(worktrees: readonly ListedWorktree[], place: Place): string {
  const { colors } = place;
  const paints: Readonly<Record<WorktreeState, (text: string) => string>> = {
    'in use': colors.green,
    'left over': colors.yellow,
    kept: colors.cyan,
    'another’s': colors.dim,
    unclear: colors.yellow,
  };
  const now = Date.now();
  const rows = worktrees.map(({ run, step, label, epoch, state, createdAt, repository, branch, folder, host, why }) => [
    run,
    label === undefined ? step : `${step} ${label}`,
    paints[state](state),
    elapsed(createdAt, undefined, now),
    repository,
    branch,
    String(epoch),
    host,
    folder,
    state === 'in use' ? '' : why,
  ]);
  return renderTable(['RUN', 'STEP', 'STATE', 'AGE', 'REPOSITORY', 'BRANCH', 'EPOCH', 'HOST', 'FOLDER', 'WHY'], rows, place);
}

export function renderSwept(swept: readonly Swept[], dryRun: boolean, place: Place): string {
  const { colors } = place;
  const words = { removed: dryRun ? 'would remove' : 'removed', kept: 'kept', failed: 'not removed' };
  const paints = { removed: colors.green, kept: colors.dim, failed: colors.red };
  const rows = swept.map(({ kind, what, done, why, workflowId, slot }) => [
    paints[done](words[done]),
    kind,
    workflowId ?? '',
    slot ?? '',
    what,
    why,
  ]);
  return renderTable(['DONE', 'KIND', 'RUN', 'STEP', 'WHAT', 'WHY'], rows, place);
}

/** Remains that nobody can judge, and which therefore stay. */
export function renderRemains({ nobodys, unreadable }: Omit<SweepReport, 'swept'>, { colors }: Pick<Terminal, 'colors'>): string {
  const lines = [
    ...unreadable.map(({ path, reason }) => `the record ${path} cannot be used: ${reason}; remove it and its worktree by hand`),
    ...nobodys.map((folder) => `no record belongs to ${folder}; remove the folder by hand if you do not need it`),
  ];
  return lines.map((line) => `${colors.yellow('!')} ${line}\n`).join('');
}
