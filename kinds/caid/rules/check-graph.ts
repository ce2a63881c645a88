import { pathsMeet } from '../../../plan/text/paths-meet';
import { DEFAULT_COMPLEXITY, type GraphUnit, MOST_UNITS, type TaskGraph } from './task-graph';

/**
 * The problems of a manager's graph beyond its schema: all of them at once, in words that the manager can act on. `mended`: the engine can
 * fix it by rule (`mend-graph.ts`); any other problem remains until the manager answers anew.
 */
export interface GraphProblem {
  kind: 'none' | 'many' | 'large' | 'duplicate' | 'unknown' | 'path' | 'cycle' | 'overlap';
  units: string[];
  message: string;
  isMended: boolean;
}

export function checkGraph({ units }: TaskGraph): GraphProblem[] {
  return [
    ...counted(units),
    ...duplicates(units),
    ...unknown(units),
    ...badPaths(units),
    ...cycles(units).map(cycleProblem),
    ...overlaps(units).map(overlapProblem),
  ];
}

function counted({ length }: readonly GraphUnit[]): GraphProblem[] {
  if (length === 0) return [{ kind: 'none', units: [], message: 'the graph has no units', isMended: false }];
  if (length <= MOST_UNITS) return [];
  const message = `the graph has ${length} units, and may have ${MOST_UNITS}: put what belongs together into one`;
  return [{ kind: 'many', units: [], message, isMended: false }];
}

function duplicates(units: readonly GraphUnit[]): GraphProblem[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id } of units) (seen.has(id) ? twice : seen).add(id);
  return [...twice].map((id) => ({ kind: 'duplicate', units: [id], message: `several units are called "${id}"`, isMended: false }));
}

function unknown(units: readonly GraphUnit[]): GraphProblem[] {
  const ids = new Set(units.map(({ id }) => id));
  return units.flatMap(({ id, depends_on }) =>
    depends_on
      .filter((other) => !ids.has(other))
      .map(
        (other): GraphProblem => ({
          ...{ kind: 'unknown', units: [id], isMended: false },
          message: `"${id}" depends on "${other}", but there is no such unit`,
        }),
      ),
  );
}

function badPaths(units: readonly GraphUnit[]): GraphProblem[] {
  return units.flatMap(({ id, files }) =>
    files
      .filter((file) => !isPathWithin(file))
      .map(
        (file): GraphProblem => ({
          ...{ kind: 'path', units: [id], isMended: false },
          message: `"${id}" owns ${JSON.stringify(file)}, which is not the path of a file in the repository`,
        }),
      ),
  );
}

/** A path in git's form: no `./`, no `..`, nothing of git's own. */
function isPathWithin(path: string): boolean {
  const parts = path.split('/');
  return !path.includes('\0') && parts.every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git');
}

function cycleProblem(units: string[]): GraphProblem {
  const message =
    units.length === 1
      ? `"${units[0]}" depends on itself`
      : `${list(units)} depend on each other in a circle: make them one unit, or leave out what closes the circle`;
  return { kind: 'cycle', units, message, isMended: true };
}

function overlapProblem({ first, second, what }: Overlap): GraphProblem {
  const message = `"${first}" and "${second}" both own ${what}, and neither waits for the other: give it to one, divide it by functions, or let one depend on the other`;
  return { kind: 'overlap', units: [first, second], message, isMended: true };
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/** Units that wait for each other, each group in the order of the graph; a unit that waits for itself is one of its own. */
export function cycles(units: readonly GraphUnit[]): string[][] {
  const behind = reaches(units);
  const left = new Set(units.map(({ id }) => id));
  const found: string[][] = [];
  for (const { id } of units) {
    if (!left.has(id) || !behind.get(id)?.has(id)) continue;
    const group = units.map((unit) => unit.id).filter((other) => behind.get(id)?.has(other) && behind.get(other)?.has(id));
    const distinct = [...new Set(group)];
    for (const other of distinct) left.delete(other);
    found.push(distinct);
  }
  return found;
}

/** For each unit, everything that it waits for, directly or not. */
export function reaches(units: readonly GraphUnit[]): Map<string, Set<string>> {
  const direct = new Map<string, Set<string>>();
  for (const { id, depends_on } of units) direct.set(id, new Set([...(direct.get(id) ?? []), ...depends_on]));
  const found = new Map<string, Set<string>>();
  for (const id of direct.keys()) {
    const all = new Set<string>();
    const open = [...(direct.get(id) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (all.has(next)) continue;
      all.add(next);
      open.push(...(direct.get(next) ?? []));
    }
    found.set(id, all);
  }
  return found;
}

export interface Overlap {
  first: string;
  second: string;
  what: string;
}

/** Pairs of units that own the same thing and may be in progress at once, in the order of the graph. */
export function overlaps(units: readonly GraphUnit[]): Overlap[] {
  const behind = reaches(units);
  const found: Overlap[] = [];
  for (const [i, first] of units.entries()) {
    for (const second of units.slice(i + 1)) {
      if (first.id === second.id || behind.get(first.id)?.has(second.id) || behind.get(second.id)?.has(first.id)) continue;
      const what = shared(first, second);
      if (what !== undefined) found.push({ first: first.id, second: second.id, what });
    }
  }
  return found;
}

/** Ownership in common: a whole file, or a function of it that both name. */
function shared(first: GraphUnit, second: GraphUnit): string | undefined {
  const file = first.files.find((path) => second.files.some((other) => pathsMeet(path, other)));
  if (file === undefined) return undefined;
  if (!first.functions?.length || !second.functions?.length) return file;
  const name = first.functions.find((one) => second.functions?.includes(one));
  return name === undefined ? undefined : `${name} in ${file}`;
}

/** Warnings on a valid graph about which a person may think differently. */
export function graphWarnings({ units, warnings = [] }: TaskGraph): string[] {
  const single = units.length === 1 ? ['the graph has one unit: one engineer does it, and a plain agent step would do'] : [];
  return [...single, ...warnings];
}

export function complexityOf({ priority }: Pick<GraphUnit, 'priority'>): number {
  return priority?.complexity ?? DEFAULT_COMPLEXITY;
}
