/** What a sweep did with one thing, or would do. */
export interface Swept {
  kind: 'worktree' | 'refs' | 'clone' | 'scratch';
  /** A path, or what refs begin with and the repository that has them. */
  what: string;
  done: 'removed' | 'kept' | 'failed';
  /** Why; of a failure, what went wrong. */
  why: string;
  /** Of a worktree and of refs. */
  workflowId?: string;
  run?: string;
  slot?: string;
  epoch?: number;
}
