import type { GraphUnit } from '../../kinds/caid/rules/task-graph';
import type { Tree } from './library';

/** What a run has left behind, and what it should have done. */
export interface Evidence {
  /** A repository whose reflog has every value that the branch had: its checkout, or a bare one with `core.logAllRefUpdates`. */
  repository: string;
  branch: string;
  /** Where the branch was before the run. */
  base: string;
  reference: Tree;
  units: readonly Pick<GraphUnit, 'id' | 'files' | 'depends_on'>[];
  /** Every assignment: its task, and what its worktree was at when the engineer began. */
  dispatched: readonly { task: string; base: string }[];
  /** The same and the merges, in the order of the run's journal. */
  journal: readonly { event: 'assigned' | 'merged'; task: string }[];
  /** What the queue says that it has merged: the task, and the commit that the target then was at. */
  merged: readonly { task: string; result: string }[];
  /** Is that tree green? */
  test: TestRun;
  /** Refs that may stay, beside the branch. */
  keptRefs: RegExp;
  /** No process may work in one of these, or have its path among its arguments. */
  folders: readonly string[];
  /** Folders of worktrees, which have to be empty. */
  worktreeFolders: readonly string[];
}

export type ViolationKind = 'tree' | 'red' | 'rewound' | 'not-merged' | 'merged-twice' | 'early' | 'worktree' | 'ref' | 'lock' | 'process';

export interface Violation {
  kind: ViolationKind;
  message: string;
}

export interface Advance {
  /** What the target moved to. */
  commit: string;
  from: string;
  /** Tasks whose files it has changed. */
  tasks: readonly string[];
}

/** Whether a checked-out tree is green; `undefined`: it is, else what it printed. */
export type TestRun = (folder: string) => string | undefined;
