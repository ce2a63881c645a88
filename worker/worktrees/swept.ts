/** What a sweep did with one thing, or would do. */
export interface Swept {
  kind: 'worktree' | 'refs' | 'clone' | 'scratch';
  /** A path, or the common beginning of refs and the repository that has them. */
  what: string;
  done: 'removed' | 'kept' | 'failed';
  /** The reason; for a failure, what went wrong. */
  why: string;
  /** Set for a worktree and for refs. */
  workflowId?: string;
  run?: string;
  slot?: string;
  epoch?: number;
}
