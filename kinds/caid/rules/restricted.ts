import { pathsMeet } from '../../../plan/text/paths-meet';
import { DEFAULT_RESTRICTED } from './default-restricted';
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
