import { join } from 'node:path';

/** The paths below a host's folder of worktrees: the one place that names its folders. All of it belongs to one host. */
export function worktreesLayout(root: string) {
  return {
    /** A folder a worktree: nothing else is made here. */
    trees: join(root, 'trees'),
    /** A bare clone a repository: worktrees have their objects from there, and nothing else. */
    clones: join(root, 'clones'),
    /** A folder a worktree, of the same name: its own repository. */
    repositories: join(root, 'repositories'),
    /** This host's view of that repository, which ignores everything configured in the worktree. */
    views: join(root, 'views'),
    /** One file for each worktree, next to it and not within it: its programs must not reach it by a relative path. */
    records: join(root, 'records'),
    /** One file for each run and repository: the place of its refs, which outlive its worktrees. */
    refNotes: join(root, 'refs'),
    /** A file a worktree that a process is making, saving or closing. */
    locks: join(root, 'locks'),
    /** Half-written files and git's scratch folders. */
    scratch: join(root, 'scratch'),
  };
}
