import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_VERSION } from '../../plan/run/run-activities';
import { beganWith } from '../../workflows/interpreter/state/began-with';
import { emptyState } from '../../workflows/interpreter/state/state';

/**
 * Tests how workflow code is changed without breaking runs in progress (docs/internals/guides.md, "A change of what a
 * workflow does"): the next version is added to `RUN_VERSION`, with a note about what is new, and the code asks `beganWith`.
 */
const NEXT = RUN_VERSION + 1;

/** The shape of a change: `after` is the new behaviour, `before` the old one. */
function changed(version: number): 'before' | 'after' {
  return beganWith({ state: emptyState(version) }, NEXT) ? 'after' : 'before';
}

test('a run that began before a change does as it began, and one that began since as it is now', () => {
  expect([RUN_VERSION, NEXT, NEXT + 1].map(changed)).toEqual(['before', 'after', 'after']);
});

test('each version says what it has brought', () => {
  const source = readFileSync(join(__dirname, '../../plan/run/run-activities.ts'), 'utf8');
  const listed = [...source.matchAll(/^ \* (\d+): \S/gm)].map(([, version]) => Number(version));
  expect(listed).toEqual(Array.from({ length: RUN_VERSION }, (_, i) => i + 1));
});
