import { z } from 'zod';

/**
 * The record of a worktree on a host, in a file next to it that is written before the worktree is made: whose it is, and what it has of the
 * host.
 */
export const WORKTREE_RECORD = z.object({
  version: z.literal(1),
  /** The host that owns it: machines may share a folder of worktrees. */
  host: z.string(),
  /** The store that has its run. Only the servers of a store know its runs. */
  storeId: z.string(),
  namespace: z.string(),
  taskQueue: z.string(),
  workflowId: z.string(),
  /** Id of the run's first execution. */
  run: z.string(),
  slot: z.string(),
  /** Identity of the repository, and the folder that git works in for it on this host. */
  repository: z.string(),
  checkout: z.string(),
  /** Run refs are in a remote that this checkout has by that name. Absent: in the repository itself, or at the URL that it is. */
  remote: z.object({ name: z.string(), checkout: z.string() }).exactOptional(),
  /** Absolute. */
  folder: z.string(),
  branch: z.string(),
  /** ISO 8601. */
  createdAt: z.string().refine((date) => !Number.isNaN(Date.parse(date))),
  epoch: z.int(),
  /** The first of its block of ports. */
  portBase: z.int(),
  keep: z.literal(true).exactOptional(),
  /** What lists call it. */
  label: z.string().exactOptional(),
  /** `setup` has completed. */
  ready: z.literal(true).exactOptional(),
});

export type WorktreeRecord = z.infer<typeof WORKTREE_RECORD>;
