/**
 * The ref to which a try's commits are pushed: `refs/thermidor/<run>/<task>/<attempt>`. The attempt is in the name, so a late one moves a
 * ref that nobody reads any more.
 */
export function runRef(run: string, task: string, attempt: number): string {
  return `${taskRefs(run, task)}${attempt}`;
}

/** The ref that keeps unattended changes found in a task's worktree. Only people read it. */
export function asideRef(run: string, task: string, commit: string): string {
  return `${taskRefs(run, task)}aside/${commit}`;
}

/** The common beginning of all refs of a task. */
export function taskRefs(run: string, task: string): string {
  return `${runRefs(run)}${refPart(task)}/`;
}

/**
 * The branch of a task's worktree, without `refs/heads/`. Each attempt has its own, because hosts may share a repository; and none equals a
 * run ref without `refs/`, because git would not know which of the two is meant.
 */
export function runBranch(run: string, task: string, attempt: number): string {
  const branch = `thermidor/${refPart(run)}/${refPart(task)}`;
  return attempt === 1 ? branch : `${branch}@${attempt}`;
}

/** The common beginning of all refs of a run. */
export function runRefs(run: string): string {
  return `refs/thermidor/${refPart(run)}/`;
}

/**
 * Any text as a part of a ref's name, different for different texts: dots are escaped too, because git refuses `..`, `.x` and `x.lock`. A
 * long one becomes several folders, which end in `+`, because each is also a file's name.
 */
function refPart(text: string): string {
  if (text === '') return '%';
  const escaped = encodeURIComponent(text).replace(/[.!~*'()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  // File names have at most 255 bytes, and git adds some of its own.
  return escaped.replace(/.{200}(?=.)/g, '$&+/');
}
