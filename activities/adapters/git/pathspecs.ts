import { repositoryFailure } from './failures';

/** The limit of the arguments of one process. */
const MOST_CHARACTERS = 200_000;

/**
 * Patterns as pathspecs, in groups for one process each. As in `.gitignore`, a `!` lifts what earlier patterns restrict, but not later
 * ones. No group is empty: without a pathspec git lists every path.
 */
export function pathspecs(patterns: readonly string[], ignoresCase: boolean): string[][] {
  return grouped(patterns, ignoresCase, (pattern) => [globOf(pattern), `${globOf(pattern)}/**`]);
}

/** Pathspecs for the folders above what patterns name. A pattern that may match anywhere has none. */
export function folderPathspecs(patterns: readonly string[], ignoresCase: boolean): string[][] {
  return grouped(patterns, ignoresCase, (pattern) => {
    const parts = globOf(pattern).split('/');
    const folders = parts.map((_, n) => parts.slice(0, n));
    return folders.filter((folder) => folder.some((part) => part !== '**')).map((folder) => folder.join('/'));
  });
}

function grouped(patterns: readonly string[], ignoresCase: boolean, globsOf: (pattern: string) => string[]): string[][] {
  const magic = ignoresCase ? 'top,glob,icase' : 'top,glob';
  const groups: { wanted: string[]; lifted: string[] }[] = [];
  let open: (typeof groups)[number] | undefined;
  let characters = 0;
  for (const pattern of patterns) {
    if (pattern.startsWith('!')) {
      const glob = globOf(pattern.slice(1));
      const lifted = [glob, `${glob}/**`].map((path) => `:(${magic},exclude)${path}`);
      for (const group of groups) group.lifted.push(...lifted);
      open = undefined;
      continue;
    }
    const wanted = globsOf(pattern).map((path) => `:(${magic})${path}`);
    if (wanted.length === 0) continue;
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

/** A pattern without a slash, except at its end, is a name in any folder. It includes everything below. */
function globOf(pattern: string): string {
  const bare = pattern.replace(/^\//, '').replace(/\/$/, '');
  if (bare === '' || bare.includes('\0') || bare.split('/').includes('..')) {
    throw repositoryFailure('invalid-path', `${JSON.stringify(pattern)} is not a pattern of paths`);
  }
  return pattern.replace(/\/$/, '').includes('/') ? bare : `**/${bare}`;
}
