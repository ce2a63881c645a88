import { columnLines } from '../../cli/rendering/column-lines';
import { renderTree } from '../../cli/rendering/tree';
import { reasonsOf } from '../../client/wait-reasons';
import { type PhaseState, type SyncView, TRACKS_VIEW, type TracksView } from '../../kinds/tracks/view';
import { graphOf } from '../../plan/graph/graph';
import { tracks } from '../patterns/tracks-play';
import { planOf } from '../support/world';
import { fakeTerminal } from './fake-terminal';
import { at, runView, stepView } from './views';

const { colors } = fakeTerminal();
function trackLines(view: TracksView): string[] {
  const columns = TRACKS_VIEW.columns?.(view);
  return columns ? columnLines(columns, colors) : [];
}
const phases = (...of: [string, PhaseState][]) => of.map(([id, state]) => ({ id, state }));
const point = (id: string, a: string, b: string, more: Partial<SyncView> = {}): SyncView => ({
  ...{ id, after: { a, b }, state: 'open', attempts: 0, rounds: 2, by: 'lead', arrived: [] },
  ...more,
});
const VIEW: TracksView = {
  a: { agent: 'designer', phases: phases(['api', 'done'], ['detail', 'done'], ['final', 'provisional']) },
  b: { agent: 'coder', phases: phases(['scaffold', 'done'], ['core', 'running']) },
  sync: [
    point('contract', 'api', 'scaffold', { state: 'aligned', attempts: 2 }),
    point('whole', 'detail', 'core', { name: 'All of it', arrived: ['a'] }),
  ],
};

test('tracks are next to each other, with their points across both', () => {
  expect(trackLines(VIEW)).toEqual([
    'a designer               b coder',
    '✓ api                    ✓ scaffold',
    '✓ ═ contract  aligned, after 2 checks',
    '✓ detail                 ▸ core',
    '· ═ whole All of it  open, designer goes ahead',
    '▸ final (provisional)',
  ]);
});

test('the first to arrive waits, for as long as it is known', () => {
  const waits = (more: Partial<SyncView>): string =>
    trackLines({ ...VIEW, a: { ...VIEW.a, phases: VIEW.a.phases.slice(0, 2) }, sync: [point('whole', 'detail', 'core', more)] })[3] ?? '';
  expect(waits({ arrived: ['a'], until: at(600) })).toMatch(/^· ═ whole {2}open, designer waits until \d\d:\d\d/);
  expect(waits({ arrived: ['a'] })).toBe('· ═ whole  open, designer waits');
  expect(waits({ arrived: ['a', 'b'] })).toBe('· ═ whole  open');
});

test('the tree of a run has them below their step', () => {
  const step = stepView('dual', { kind: 'tracks', state: 'running', startedAt: at(1), tracks: VIEW });
  const lines = renderTree(runView([step]), { colors, columns: 120, now: Date.parse(at(60)) });
  expect(lines[1]).toMatch(/^└─ ▸ dual .* 1 of 2 points aligned/);
  expect(lines[2]).toBe('   └─ a designer               b coder');
  expect(lines[3]).toBe('      ✓ api                    ✓ scaffold');
});

test('`why` names who is waited for', () => {
  const waitingFor = 'coder, to bring core to whole, where designer has arrived';
  const step = stepView('dual', { kind: 'tracks', state: 'running', startedAt: at(1), tracks: VIEW, waitingFor });
  expect(reasonsOf(runView([step]), [])).toMatchObject([{ kind: 'waits', step: 'dual', text: waitingFor }]);
});

test('the graph has phases and points as they are written, and parts on demand', () => {
  const plan = planOf([tracks()]);
  const [dual] = graphOf(plan).nodes;
  expect(dual?.within?.map(({ name, depth, label }) => [name, depth, label])).toEqual([
    ['api', 0, 'a: designer'],
    ['scaffold', 0, 'b: coder'],
    ['contract', 1, 'lead checks, at most 2'],
    ['detail', 2, 'a: designer'],
    ['core', 2, 'b: coder'],
    ['whole', 3, 'lead checks, at most 2'],
  ]);
  expect(graphOf(plan).edges).toContainEqual({ from: 'dual/contract', to: 'dual/core', kind: 'order' });
  expect(graphOf(plan, { expanded: true }).nodes[0]?.within?.map(({ name }) => name)).toContain('dual_integration');
});
