import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A package of npm that ships its tests; `devDependencies` pins it. */
export interface Library {
  name: string;
  package: string;
  /** Tests are recognised by their path. */
  isTest: (path: string) => boolean;
  /** Files whose functions stay, as a manager's set-up makes them: they join the library together. */
  isEntry: (path: string) => boolean;
  /**
   * Code, and modules shared by tests. Programs, benchmarks, types, and tests that need fixtures, other packages or a process of their own
   * are left out.
   */
  isPart: (path: string) => boolean;
  /** An import of one of the package's `devDependencies` → the file of `lab/` that replaces it here. */
  served?: Readonly<Record<string, string>>;
}

const NEEDS_MORE =
  /\/(?:decode-text-coverage|dicer-multipart[\w-]*|test-(?:fuzz|length|partial|extended-vectors)|node-test-bin|noop-bin-test)(?:\.test)?\.js$/;

const BUSBOY: Library = {
  name: 'busboy',
  package: '@fastify/busboy',
  isTest: (path) => path.endsWith('.test.js'),
  isEntry: (path) => path === 'index.js',
  isPart: (path) => /^(?:index|(?:lib|deps|test)\/.*)\.js$/.test(path) && !path.includes('/fixtures/') && !NEEDS_MORE.test(path),
};

const CBORG: Library = {
  name: 'cborg',
  package: 'cborg',
  isTest: (path) => path.startsWith('test/test-'),
  isEntry: (path) => path === 'cborg.js',
  isPart: (path) =>
    /^(?:cborg|(?:lib|test)\/.*)\.js$/.test(path) && !/^lib\/(?:bin|diagnostic_test)\.js$/.test(path) && !NEEDS_MORE.test(path),
  served: { chai: 'chai.mjs' },
};

export const LIBRARIES = { busboy: BUSBOY, cborg: CBORG };

/** Also correct for the copy compiled into `dist/`. */
const HERE = __dirname.replace(`${sep}dist${sep}bench${sep}`, `${sep}bench${sep}`);
const PACKAGES = join(HERE, '..', '..', 'node_modules');

/** Path (with `/`) to content, in the order of paths. */
export type Tree = ReadonlyMap<string, string>;

/**
 * The goal of a restoration: the library's parts, a manifest without scripts and dependencies, and the files of `lab/` that its tests need.
 */
export function readLibrary({ package: name, isPart, isTest, served = {} }: Library): Tree {
  const all = readTree(join(PACKAGES, name));
  const parts = [...all]
    .filter(([path]) => isPart(path))
    .map(([path, text]) => [path, isTest(path) ? withServed(text, served) : text] as const);
  return new Map([
    ...parts,
    ['package.json', manifestOf(all)],
    ...Object.values(served).map((file) => [`lab/${file}`, readLabFile(file)] as const),
  ]);
}

/** A file of `lab/`, which every laboratory gets. */
export function readLabFile(name: string): string {
  return readFileSync(join(HERE, 'lab', name), 'utf8');
}

function withServed(text: string, served: Readonly<Record<string, string>>): string {
  return text.replace(/(?<= from )'([^']+)'/g, (whole, name: string) => (served[name] === undefined ? whole : `'../lab/${served[name]}'`));
}

function manifestOf(all: Tree): string {
  const { name, version, license, type, main, exports } = JSON.parse(all.get('package.json') ?? '{}');
  return `${JSON.stringify({ name, version, license, type, main, exports }, undefined, 2)}\n`;
}

/** All files below a folder but what git keeps there. */
function readTree(folder: string): Tree {
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

/** JavaScript that is neither a test nor shared by tests. */
export function isCode(path: string): boolean {
  return path.endsWith('.js') && !path.startsWith('test/') && !path.startsWith('lab/');
}
