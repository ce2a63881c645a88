/**
 * The record of a worktree on a host, in a file next to it that is written before the worktree is made: whose it is, and what it has of the
 * host.
 */
export interface WorktreeRecord {
  version: 1;
  /** The host that owns it: machines may share a folder of worktrees. */
  host: string;
  /** The store that has its run: runs of others are asked of their own servers alone. */
  storeId: string;
  namespace: string;
  taskQueue: string;
  workflowId: string;
  /** Id of the run's first execution. */
  run: string;
  slot: string;
  epoch: number;
  /** Identity of the repository, and the folder that git works in for it on this host. */
  repository: string;
  checkout: string;
  /** Run refs are in a remote that this checkout has by that name. Absent: in the repository itself, or at the URL that it is. */
  remote?: { name: string; checkout: string };
  /** Absolute. */
  folder: string;
  branch: string;
  /** The first of its block of ports. */
  portBase: number;
  /** ISO 8601. */
  createdAt: string;
  keep?: true;
  /** `setup` has completed. */
  ready?: true;
}
