import type { StepInput } from '../steps/step-activity';
import type { CarriedWorktree, WorktreeLease, WorktreeUse } from './worktree';

/** The values that its owner's templates read are included, and are recorded with the first claim. */
export interface ClaimWorktreeInput extends Pick<StepInput, 'run' | 'inputs' | 'records' | 'loops' | 'end' | 'with'> {
  slot: string;
  /** The lease whose host no longer answers. It is returned unchanged while that host is alive. Absent: the worktree is made. */
  held?: WorktreeLease;
  /** The last epoch that may be taken. @default MOST_EPOCHS */
  most?: number;
  /** Set for a rerun. */
  carried?: CarriedWorktree;
  /** What lists call it. */
  label?: string;
}

export interface RestoreWorktreeInput {
  run: string;
  /** A commit that it has had. */
  to: string;
  worktree?: WorktreeUse;
}

export interface CloseWorktreeInput {
  run: string;
  lease: WorktreeLease;
  /** It is kept if it has changes that are no step's: they are not in the run's ref. */
  spares?: true;
}
