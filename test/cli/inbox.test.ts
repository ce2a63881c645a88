import { withoutChildren } from '../../cli/commands/inbox';
import type { RunSummary } from '../../client/list-runs';
import { defined } from '../../plan/defined';
import { at } from './views';

const summary = (run: string, parent?: string): RunSummary => ({
  run,
  runId: run,
  pipeline: 'p',
  state: 'waiting',
  startedAt: at(0),
  gates: [],
  ...defined({ parent }),
});
const shown = (...runs: RunSummary[]): string[] => withoutChildren(runs).map(({ run }) => run);

test('a child’s gates are shown once, at the run above all', () => {
  expect(shown(summary('top'), summary('child', 'top'), summary('grandchild', 'child'))).toEqual(['top']);
});

test('a child whose parent is gone is listed by itself', () => {
  expect(shown(summary('other'), summary('child', 'gone'), summary('grandchild', 'child'))).toEqual(['other', 'child']);
});
