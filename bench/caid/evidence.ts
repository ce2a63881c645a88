import type { GraphUnit } from '../../kinds/caid/rules/task-graph';
import type { Tree } from './library';

/** What a run left, and what it should have done. */
export interface Evidence {
  /** A repository whose reflog has every value of the branch: its checkout, or a bare one with `core.logAllRefUpdates`. */
  repository: string;
  branch: string;
  /** The branch's commit before the run. */
  base: string;
  reference: Tree;
  units: readonly Pick<GraphUnit, 'id' | 'files' | 'depends_on'>[];
  /** Every assignment: its task, and the commit of its worktree when the engineer began. */
  dispatched: readonly { task: string; base: string }[];
  /** The same and the merges, in the order of the run's journal. */
  journal: readonly { event: 'assigned' | 'merged'; task: string }[];
  /** The merges that the queue reports: the task, and the resulting commit of the target. */
  merged: readonly { task: string; result: string }[];
  /** Whether a tree is green. */
  test: TestRun;
  /** Refs that may stay, apart from the branch. */
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
  /** The target's new commit. */
  commit: string;
  from: string;
  /** Tasks whose files it changed. */
  tasks: readonly string[];
}

/** Whether a checked-out tree is green; `undefined` means green, else the output. */
export type TestRun = (folder: string) => string | undefined;
