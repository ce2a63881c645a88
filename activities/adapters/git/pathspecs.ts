import { repositoryFailure } from './failures';

/** Of the arguments of one process. */
const MOST_CHARACTERS = 200_000;

/**
 * Patterns as pathspecs, in groups for a process each. As in `.gitignore`, a `!` lifts what patterns before it restrict, and nothing that comes after it. No
 * group is empty: without a pathspec git lists every path.
 */
export function pathspecs(patterns: readonly string[]): string[][] {
  const groups: { wanted: string[]; lifted: string[] }[] = [];
  let open: (typeof groups)[number] | undefined;
  let characters = 0;
  for (const pattern of patterns) {
    if (pattern.startsWith('!')) {
      const lifted = asPathspecs(pattern.slice(1), 'top,glob,exclude');
      for (const group of groups) group.lifted.push(...lifted);
      open = undefined;
      continue;
    }
    const wanted = asPathspecs(pattern, 'top,glob');
    if (!open || characters > MOST_CHARACTERS) {
      open = { wanted: [], lifted: [] };
      groups.push(open);
      characters = 0;
    }
    open.wanted.push(...wanted);
    characters += 2 * pattern.length;
  }
  return groups.map(({ wanted, lifted }) => [...wanted, ...lifted]);
}

/** Without a slash, but for one at its end, it is a name in any folder. What it names counts with all that is below. */
function asPathspecs(pattern: string, magic: string): string[] {
  const bare = pattern.replace(/^\//, '').replace(/\/$/, '');
  if (bare === '' || bare.includes('\0') || bare.split('/').includes('..')) {
    throw repositoryFailure('invalid-path', `${JSON.stringify(pattern)} is not a pattern of paths`);
  }
  const glob = `:(${magic})${pattern.replace(/\/$/, '').includes('/') ? bare : `**/${bare}`}`;
  return [glob, `${glob}/**`];
}
