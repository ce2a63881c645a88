import { join } from 'node:path';

/** Where everything lies below a host's folder of worktrees: the one place that names its folders. All of it belongs to one host. */
export function worktreesLayout(root: string) {
  return {
    /** A folder a worktree: nothing else is made here. */
    trees: join(root, 'trees'),
    /** A bare clone a repository: worktrees have their objects from there, and nothing else. */
    clones: join(root, 'clones'),
    /** A folder a worktree, of the same name: its own repository. */
    repositories: join(root, 'repositories'),
    /** The same: what this host sees of that repository, in which nothing counts that was set up in the worktree. */
    views: join(root, 'views'),
    /** A file a worktree, beside and not within it: who works there must not reach it by a relative path of their own. */
    records: join(root, 'records'),
    /** A file for each run and repository: where its refs are, which outlive its worktrees. */
    refNotes: join(root, 'refs'),
    /** A file a worktree that a process is making, saving or closing. */
    locks: join(root, 'locks'),
    /** Half-written files and git's scratch folders. */
    scratch: join(root, 'scratch'),
  };
}
