import type { GraphUnit, TaskGraph } from '../../kinds/caid/rules/task-graph';
import { defined } from '../../plan/defined';
import { type FileGraph, reached } from './file-graph';
import type { StubbedFile } from './stub';

/** The files that a test needs and that can be stubbed. A test is ready when none of them has a stub. */
export type TestNeeds = Readonly<Record<string, readonly string[]>>;

/** Lines up to which a unit has complexity 1, 2, 3, 4. */
const COMPLEXITY = [20, 60, 150, 400] as const;

/**
 * The graph that an ideal manager would answer with: a unit for each file with stubs, files that import each other in a circle together. A
 * unit depends on those that its files import, directly or through files without stubs.
 */
export function unitGraph(files: FileGraph, stubbed: ReadonlyMap<string, StubbedFile>, tests: TestNeeds): TaskGraph {
  const ends = (path: string): boolean => stubbed.has(path);
  const direct = new Map(
    [...stubbed.keys()].map((path) => [path, [...reached(files, path, ends)].filter((to) => to !== path && ends(to))]),
  );
  const groups = circles(direct);
  const idOf = new Map(groups.flatMap((group) => group.map((path) => [path, unitId(group[0] ?? path)])));
  const idsOf = (paths: readonly string[]): string[] => [...new Set(paths.flatMap((path) => idOf.get(path) ?? []))].sort();
  const units = groups.map((group): GraphUnit => {
    const id = unitId(group[0] ?? '');
    const all = new Set(group.flatMap((path) => [...reached(direct, path)]));
    const own = Object.entries(tests).filter(
      ([, needs]) => needs.some((path) => group.includes(path)) && needs.every((path) => all.has(path)),
    );
    const lines = group.flatMap((path) => stubbed.get(path)?.stubs ?? []).reduce((sum, { body }) => sum + body.split('\n').length, 0);
    const names = group.flatMap((path) => (stubbed.get(path)?.stubs ?? []).map((stub) => `${path}#${stub.name}`));
    const complexity = 1 + COMPLEXITY.filter((most) => lines > most).length;
    return {
      id,
      title: `Implement ${group.join(', ')}`,
      description: `Functions to write: ${shortened(names)}`,
      files: group,
      depends_on: idsOf(group.flatMap((path) => direct.get(path) ?? [])).filter((one) => one !== id),
      priority: { complexity, ...defined({ enables_tests: own.length > 0 ? true : undefined }) },
      ...defined({ acceptance: own.length > 0 ? { command: testCommand(own.map(([name]) => name)) } : undefined }),
    };
  });
  return { units };
}

/** The command that runs the tests that are ready; of these alone, or all. */
export function testCommand(tests: readonly string[] = []): string {
  return ['node --test-reporter=tap lab/ready-tests.mjs', ...tests].join(' ');
}

function unitId(path: string): string {
  const id = path
    .replace(/\.js$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-');
  return /^[a-z]/.test(id) ? id : `u-${id}`;
}

const LONGEST = 2000;

function shortened(names: readonly string[]): string {
  const text = names.join(', ');
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

/** Groups of files that reach each other, each in the order of paths, in the order of their first ones. */
function circles(graph: FileGraph): string[][] {
  const reaches = new Map([...graph.keys()].map((path) => [path, reached(graph, path)]));
  const paths = [...graph.keys()].sort();
  const groupOf = (path: string): string[] =>
    paths.filter((to) => to === path || (reaches.get(path)?.has(to) && reaches.get(to)?.has(path)));
  return paths.map(groupOf).filter((group, i) => group[0] === paths[i]);
}
