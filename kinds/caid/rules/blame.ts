import { beginning } from '../../../plan/text/shortened';
import type { GraphUnit } from './task-graph';

type Judged = Pick<GraphUnit, 'id' | 'files' | 'acceptance'>;

/**
 * The units whose files a failing test names in its output, in their order. A unit owns its files, and the paths in its acceptance are its
 * tests. Lines about passing tests name nobody. Absolute paths count by their ends, because tests run in a worktree.
 */
export function unitsNamed(units: readonly Judged[], output: string): string[] {
  const owners = ownersOf(units);
  const named = new Set<string>();
  for (const line of output.split('\n')) {
    if (PASSED.test(line)) continue;
    for (const path of pathsIn(line)) for (const id of ownersNamed(owners, path)) named.add(id);
  }
  return units.map(({ id }) => id).filter((id) => named.has(id));
}

/** Matches the success lines of test runners: TAP, Jest, Mocha, pytest, Go. */
const PASSED = /^\s*(?:ok\b|PASS\b|PASSED\b|✓|✔|√|# Subtest|--- PASS)|\bPASSED\s*(?:\[|$)/;
const MOST_PATH = 1000;

function pathsIn(text: string): string[] {
  const words = text.split(/[^\w@./-]+/).map((word) => plain(beginning(word, MOST_PATH + 1)));
  return words.filter((word) => word.length <= MOST_PATH && /\.[A-Za-z]\w{0,9}$/.test(word));
}

function ownersOf(units: readonly Judged[]): Map<string, string[]> {
  const owners = new Map<string, string[]>();
  for (const { id, files, acceptance } of units) {
    const tests = [acceptance?.test ?? '', acceptance?.command ?? ''].flatMap(pathsIn);
    for (const path of new Set([...files.map(plain), ...tests])) owners.set(path, [...(owners.get(path) ?? []), id]);
  }
  return owners;
}

/** For `/tmp/x/src/a.js` the longest owned end counts, so that it is not mistaken for `a.js` in the root. */
function ownersNamed(owners: ReadonlyMap<string, string[]>, path: string): string[] {
  const parts = path.split('/');
  for (let from = 0; from < parts.length; from++) {
    const found = owners.get(parts.slice(from).join('/'));
    if (found) return found;
  }
  return [];
}

function plain(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/\.+$/, '');
}
