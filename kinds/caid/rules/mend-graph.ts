import { defined } from '../../../plan/defined';
import { bug } from '../../../plan/run/failure';
import { cycles, type GraphProblem, overlaps, reaches } from './check-graph';
import type { GraphUnit, TaskGraph } from './task-graph';

/** A graph without cycles and shared ownership, and how it was fixed, for people. */
export interface MendedGraph {
  graph: TaskGraph;
  changes: string[];
}

/**
 * Fixes what can be fixed by rule. Invariants: 1. units in a cycle become one unit, which one engineer does; 2. of two units that own the
 * same and may be in progress at once, the later one waits for the earlier; 3. every earlier wait of a unit remains.
 */
export function mendGraph(graph: TaskGraph, problems: readonly GraphProblem[]): MendedGraph {
  if (problems.some(({ isMended }) => !isMended)) throw bug('a graph with problems that no rule can mend is not mended');
  const changes: string[] = [];
  const whole = withoutCycles(graph.units, changes);
  return { graph: { ...graph, units: inOrder(whole, changes) }, changes };
}

function withoutCycles(units: readonly GraphUnit[], changes: string[]): GraphUnit[] {
  const ownerOf = new Map<string, string>();
  const groups = cycles(units);
  for (const group of groups) {
    const [owner = ''] = group;
    for (const id of group) ownerOf.set(id, owner);
    changes.push(
      group.length === 1
        ? `"${owner}" no longer waits for itself`
        : `${group.join(', ')} wait for each other: they are one unit now, "${owner}"`,
    );
  }
  return units.flatMap((unit) => {
    const owner = ownerOf.get(unit.id) ?? unit.id;
    if (owner !== unit.id) return [];
    const group = groups.find(([first]) => first === unit.id) ?? [unit.id];
    const joined = joinUnits(units.filter(({ id }) => group.includes(id)));
    const depends_on = [...new Set(joined.depends_on.map((id) => ownerOf.get(id) ?? id))].filter((id) => id !== unit.id);
    return [{ ...joined, depends_on }];
  });
}

/** One unit with the tasks of several, under the id of the first. */
export function joinUnits(units: readonly GraphUnit[]): GraphUnit {
  const [first, ...others] = units;
  if (!first) throw bug('there are no units to join');
  if (others.length === 0) return first;
  const ids = units.map(({ id }) => id);
  const functions = units.every((unit) => unit.functions?.length) ? distinct(units.flatMap((unit) => unit.functions ?? [])) : undefined;
  const commands = distinct(units.flatMap(({ acceptance }) => acceptance?.command ?? []));
  const tests = distinct(units.flatMap(({ acceptance }) => acceptance?.test ?? []));
  const complexity = Math.max(...units.map(({ priority }) => priority?.complexity ?? 0));
  return {
    id: first.id,
    title: units.map(({ title }) => title).join('; '),
    description: units.map(({ id, description }) => `${id}: ${description}`).join('\n\n'),
    files: distinct(units.flatMap(({ files }) => files)),
    ...defined({ functions }),
    depends_on: distinct(units.flatMap(({ depends_on }) => depends_on)).filter((id) => !ids.includes(id)),
    priority: {
      ...defined({
        enables_tests: units.some(({ priority }) => priority?.enables_tests) || undefined,
        complexity: complexity > 0 ? complexity : undefined,
      }),
    },
    acceptance: {
      ...(tests.length > 0 ? { test: tests.join('\n') } : {}),
      // Each in a shell of its own, so that changing the folder affects only itself.
      ...(commands.length > 0
        ? { command: commands.map((command) => (commands.length > 1 ? `(${command}\n)` : command)).join(' && ') }
        : {}),
    },
  };
}

function inOrder(units: readonly GraphUnit[], changes: string[]): GraphUnit[] {
  const found = units.map((unit) => ({ ...unit, depends_on: [...unit.depends_on] }));
  for (const { first, second, what } of overlaps(found)) {
    // An earlier addition may have ordered these two as well.
    const behind = reaches(found);
    if (behind.get(second)?.has(first) || behind.get(first)?.has(second)) continue;
    found.find(({ id }) => id === second)?.depends_on.push(first);
    changes.push(`"${second}" waits for "${first}": both own ${what}`);
  }
  return found;
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
