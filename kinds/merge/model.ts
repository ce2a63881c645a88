import type { Template } from '../../plan/expressions/expression';
import type { MergeStrategy } from '../../plan/queue/queue-settings';
import type { Action } from '../../plan/steps/action';
import type { StepBase } from '../../plan/steps/step-base';

/** Lands other steps' commits in their worktrees, through the merge queue of their repository. */
export interface MergeStep extends StepBase {
  kind: 'merge';
  /** Ids of steps with a worktree; for one within a `for_each` all items count. */
  from: string[];
  /** The branch, without `refs/heads/`. */
  into: Template;
  /** A shell command, run in the merged tree in addition to the queue's own. */
  test?: string;
  /** Absent: the queue's own. */
  strategy?: MergeStrategy;
  /** Absent: `return_to_author`. */
  onConflict?: Action[];
  /** The worktrees go as soon as all has landed. */
  cleanup?: true;
}
