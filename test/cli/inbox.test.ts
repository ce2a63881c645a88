import { letterLines, renderInboxLetter } from '../../cli/rendering/letters';
import { withoutChildren } from '../../client/own-gates';
import type { RunSummary } from '../../client/run-summary';
import { defined } from '../../plan/defined';
import { fakeTerminal } from './fake-terminal';
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

describe('a message to a person', () => {
  const letter = { step: 'team', from: 'alice', to: 'lead', content: 'which\u001b[2J colour?', at: at(0) };
  const server = { address: '', namespace: 'default', flags: ' --state-dir s' };
  const { colors } = fakeTerminal();

  test('is shown with the command that answers it, and nothing in it moves the cursor', () => {
    expect(renderInboxLetter('team-core', letter, server, colors).split('\n').slice(1)).toEqual([
      '  alice to the lead: which colour?',
      '  thermidor team message team-core alice "…" --state-dir s',
      '',
    ]);
  });

  test('that is long is shown with the command that shows all of it', () => {
    const lines = (more: object) => letterLines('r', { ...letter, ...more }, server);
    expect(lines({ isCut: true }).whole).toBe('thermidor team inbox r lead --whole --state-dir s');
    expect(lines({ isCut: true, to: 'fran' }).whole).toBeUndefined();
  });
});
