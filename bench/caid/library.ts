import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A library that lies here with its tests, its licence and its origin. */
export interface Library {
  name: string;
  /** Tests are recognised by their path. */
  isTest: (path: string) => boolean;
  /** Files whose functions stay as they are, as a manager's set-up makes them: what joins the library together. */
  isEntry: (path: string) => boolean;
}

export const LIBRARIES = {
  busboy: { name: 'busboy', isTest: (path) => path.endsWith('.test.js'), isEntry: (path) => path === 'index.js' },
  cborg: { name: 'cborg', isTest: (path) => path.startsWith('test/test-'), isEntry: (path) => path === 'cborg.js' },
} as const satisfies Record<string, Library>;

/** Beside the sources, also for what is compiled into `dist/`. */
const FOLDER = join(__dirname.replace(`${sep}dist${sep}bench${sep}`, `${sep}bench${sep}`), 'libraries');

/** Path (with `/`) to content, in the order of paths. */
export type Tree = ReadonlyMap<string, string>;

export function readLibrary(library: Library): Tree {
  return readTree(join(FOLDER, library.name));
}

/** All files below a folder but what git keeps there. */
export function readTree(folder: string): Tree {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    )
    .filter((path) => path !== '.git' && !path.startsWith('.git/'));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** JavaScript that is neither a test nor what tests share. */
export function isCode(path: string): boolean {
  return path.endsWith('.js') && !path.startsWith('test/') && !path.startsWith('lab/');
}
