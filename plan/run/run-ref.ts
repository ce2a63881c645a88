/**
 * Where a try's commits are pushed: `refs/thermidor/<run>/<task>/<attempt>`. The attempt is in the name, so one that comes back late moves a ref that
 * nobody reads any more.
 */
export function runRef(run: string, task: string, attempt: number): string {
  return `${taskRefs(run, task)}${attempt}`;
}

/** Where something is kept that was found in a task's worktree and is nobody's work. Nobody reads it but people. */
export function asideRef(run: string, task: string, commit: string): string {
  return `${taskRefs(run, task)}aside/${commit}`;
}

/** What all refs of a task begin with. */
export function taskRefs(run: string, task: string): string {
  return `${runRefs(run)}${refPart(task)}/`;
}

/**
 * The branch of a task's worktree, without `refs/heads/`. An attempt has one of its own, for hosts may share a repository; and none is what a run ref is
 * without `refs/`, for git would not know which of the two is meant.
 */
export function runBranch(run: string, task: string, attempt: number): string {
  const branch = `thermidor/${refPart(run)}/${refPart(task)}`;
  return attempt === 1 ? branch : `${branch}@${attempt}`;
}

/** What all refs of a run begin with. */
export function runRefs(run: string): string {
  return `refs/thermidor/${refPart(run)}/`;
}

/**
 * Any text as a part of a ref's name, no two the same: dots too are escaped, for `..`, `.x` and `x.lock` are refused by git. A long one is several folders,
 * which end in `+`, for each is a file's name, too.
 */
function refPart(text: string): string {
  if (text === '') return '%';
  const escaped = encodeURIComponent(text).replace(/[.!~*'()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  // File names have 255 bytes at most, and git adds some of its own.
  return escaped.replace(/.{200}(?=.)/g, '$&+/');
}
