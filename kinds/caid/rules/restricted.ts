import { pathsMeet } from '../../../plan/text/paths-meet';
import type { GraphUnit } from './task-graph';

/** The sources of restricted paths, apart from the default set. */
export interface SaidRestricted {
  step: readonly string[];
  manager: readonly string[];
}

/**
 * The patterns that a task may not touch, in the order in which they count: the default set without the task's own files, because a library
 * may be written in its entry file; those of manager and step, unconditionally; and the files of all other tasks, merged or not.
 */
export function restrictedFor(files: readonly string[], said: SaidRestricted, others: readonly OwnedPath[] = []): string[] {
  const own = files.map((file) => `!${literalPattern(file)}`);
  const patterns = [
    ...DEFAULT_RESTRICTED,
    ...own,
    ...said.manager.map(withoutLift),
    ...said.step,
    ...others.map(({ path }) => literalPattern(path)),
  ];
  return [...new Set(patterns)];
}

export interface OwnedPath {
  path: string;
  /** The unit whose path it is. */
  unit: string;
}

/** Paths that non-member units own. What both own belongs to both: one waits for the other, or they divide it by functions. */
export function ownedByOthers(units: readonly GraphUnit[], members: readonly string[], files: readonly string[]): OwnedPath[] {
  return units
    .filter(({ id }) => !members.includes(id))
    .flatMap((unit) => unit.files.map((path) => ({ path, unit: unit.id })))
    .filter(({ path }) => !files.some((own) => pathsMeet(own, path)));
}

/** A pattern that matches only this path, and what is below it. */
function literalPattern(path: string): string {
  return `/${path.replace(/[*?[\]\\]/g, '\\$&')}`;
}

/** A manager restricts more, and lifts nothing. */
function withoutLift(pattern: string): string {
  return pattern.startsWith('!') ? `\\${pattern}` : pattern;
}

/**
 * Paths that are restricted whatever the step says, because all engineers share them (`__init__.py`, config files, global constants). Each
 * list has patterns of git's `:(glob)`.
 */
const ENTRY_FILES = ['__init__.py', 'index.js', 'index.mjs', 'index.cjs', 'index.ts', 'mod.rs', 'lib.rs'];

const PACKAGES = [
  ...['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'setup.py'],
  ...['poetry.lock', 'uv.lock', 'requirements*.txt', 'Cargo.lock', 'go.mod', 'go.sum', 'Gemfile', 'Gemfile.lock'],
  ...['composer.json', 'composer.lock'],
];

const CONFIGURATION = [
  ...['[cC]onfig.*', '*.config.*', '[cC]onfiguration.*', 'conf.*', '[sS]ettings.*', 'appsettings*.json'],
  ...['*.ini', '*.cfg', '*.conf', '*.toml', '*.properties', '.env', '.env.*', '.editorconfig', '.*rc', '.*rc.*'],
  ...['tsconfig*.json', 'conftest.py', '.gitattributes', '.gitignore', '.gitmodules', '.github/**', 'Dockerfile', 'Makefile'],
];

const CONSTANTS = ['[cC]onstants.*', '[cC]onsts.*', 'const.*', '[gG]lobals.*'];

export const DEFAULT_RESTRICTED: readonly string[] = [
  ...[...ENTRY_FILES, ...PACKAGES, ...CONFIGURATION, ...CONSTANTS].map((name) => `**/${name}`),
  // A folder of that name deeper down may be code.
  'config/**',
];
