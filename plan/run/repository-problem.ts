import type { FailureCode } from './failure';

/**
 * What can be wrong with a git repository, or with git itself, and what to do about it. A failure has the name in its details, as
 * `problem`; its message ends in the hint.
 */
export const REPOSITORY_PROBLEMS = {
  'git-missing': { code: 'git.unavailable', hint: 'install git 2.34 or newer where the worker runs' },
  'git-too-old': { code: 'git.unavailable', hint: 'install git 2.34 or newer where the worker runs' },
  'not-a-repository': { code: 'repository.unusable', hint: 'name the folder of a git checkout or of a bare repository' },
  'foreign-owner': {
    code: 'repository.unusable',
    hint: 'let the worker run as the owner of the folder, or add a `safe.directory` to the git configuration that Thermidor uses',
  },
  'git-folder-apart': { code: 'repository.unusable', hint: 'clone it, and name the clone' },
  'no-commits': { code: 'repository.unusable', hint: 'make a first commit' },
  'detached-head': { code: 'repository.unusable', hint: 'check out a branch, or name the base' },
  dirty: { code: 'repository.unusable', hint: 'commit or stash the changes' },
  'base-missing': { code: 'repository.unusable', hint: 'check the name; fetch the branch if only the remote has it' },
  shallow: { code: 'repository.unusable', hint: 'git fetch --unshallow' },
  partial: { code: 'repository.unusable', hint: 'git fetch --refetch --no-filter' },
  submodules: {
    code: 'repository.unusable',
    hint: 'worktrees have the folders of submodules empty: fetch them in `setup`, if the work needs them',
  },
  lfs: {
    code: 'repository.unusable',
    hint: 'worktrees have pointers in the place of LFS files: add a remote and run `git lfs pull` in `setup`, if the work needs them',
  },
  corrupt: { code: 'repository.unusable', hint: 'look at it with `git fsck`; clone it again' },
  'invalid-name': { code: 'repository.unusable', hint: 'correct the name' },
  'invalid-url': { code: 'repository.unusable', hint: 'use a path, or a URL that begins with file, http, https or ssh' },
  'invalid-path': { code: 'repository.unusable', hint: 'name a path within the folder' },
  'path-missing': { code: 'repository.unusable', hint: 'create what is missing, or take it out of `copy`' },
  'path-taken': { code: 'repository.unusable', hint: 'choose another folder, or remove what is there' },
  'branch-taken': { code: 'repository.unusable', hint: 'choose another branch, or remove the worktree that has it' },
  'worktree-missing': { code: 'repository.unusable', hint: 'add the worktree again' },
  'embedded-repository': { code: 'repository.unusable', hint: 'remove the `.git` folder in it, or add it as a submodule' },
  unmerged: { code: 'repository.unusable', hint: 'resolve the conflicts' },
  locked: { code: 'repository.locked', hint: 'wait for the other git process; if there is none, remove the lock' },
  unreachable: { code: 'repository.unreachable', hint: 'check the URL and the network' },
  unauthorised: {
    code: 'repository.refused',
    hint: 'set up a key, an agent, a .netrc or a credential helper that answers without a dialog',
  },
  'unknown-host': { code: 'repository.refused', hint: 'add the host’s key to known_hosts' },
  untrusted: {
    code: 'repository.refused',
    hint: 'have its certificate trusted: `http.sslCAInfo` in the git configuration that Thermidor uses',
  },
  'program-missing': {
    code: 'repository.unusable',
    hint: 'a program that git is set up with, such as git-lfs or another filter, does not run here: install it where the worker runs, or take it out of the configuration',
  },
  'push-refused': { code: 'repository.refused', hint: 'look at the rules of the remote repository' },
  'disk-full': { code: 'repository.full', hint: 'free space on the disk' },
  timeout: { code: 'command.timeout', hint: 'look for a hook or a filter that waits, or for a slow disk' },
  killed: { code: 'git.killed', hint: 'see who ends it: the kernel when memory runs out, or a limit of the host' },
  failed: { code: 'git.failed', hint: 'the message has what git says' },
} as const satisfies Record<string, { code: FailureCode; hint: string }>;

export type RepositoryProblem = keyof typeof REPOSITORY_PROBLEMS;
