/** Names of refs and branches, by the rules of `git check-ref-format`. */

/** Space, `~^:?*[\` and control characters; `..`, `@{`, empty parts, and a dot or a slash at the end. */
const FORBIDDEN = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|[./]$/u;

/** Full names alone. */
export function isRefName(ref: string): boolean {
  return (
    ref.startsWith('refs/') && !FORBIDDEN.test(ref) && ref.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
  );
}

/** A part becomes the name of a file, to which git adds `.lock`: file systems take 255 bytes. */
const MOST_OF_PART = 250;
const MOST = 1000;
const SHOWN = 60;

/**
 * Why a text is not the name of a branch, and what to do; undefined if it is one. Git's own rules for branches come in addition to those
 * for refs.
 */
export function branchProblem(branch: string): { message: string; hint: string } | undefined {
  const parts = branch.split('/').map((part) => new TextEncoder().encode(part).length);
  const isLong = parts.some((bytes) => bytes > MOST_OF_PART) || parts.reduce((sum, bytes) => sum + bytes + 1, 0) > MOST;
  if (isLong) {
    const message = `"${branch.slice(0, SHOWN)}…" is too long for the name of a branch`;
    return { message, hint: `a part between slashes has ${MOST_OF_PART} bytes at most, and all of them ${MOST}` };
  }
  if (isRefName(`refs/heads/${branch}`) && !branch.startsWith('-') && branch !== 'HEAD' && branch !== '@') return undefined;
  return { message: `${JSON.stringify(branch)} is not the name of a branch`, hint: 'name a branch as `git branch` lists it, such as main' };
}
