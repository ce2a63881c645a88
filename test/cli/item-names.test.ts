import { noticeText } from '../../activities/gates/notice-text';
import { changesBetween, renderChange } from '../../cli/rendering/changes';
import { renderGate, renderInboxGate } from '../../cli/rendering/gate';
import { renderEntry } from '../../cli/rendering/journal';
import { renderTree } from '../../cli/rendering/tree';
import { renderWhy } from '../../cli/rendering/why';
import { reasonsOf } from '../../client/wait-reasons';
import { fakeTerminal } from './fake-terminal';
import { gateView, runView, stepView } from './views';

const ITEM = 'Chapter three\u001b[2J';
const { colors } = fakeTerminal();
const step = stepView('ask', { address: 'chapters[3]/ask', state: 'waiting', kind: 'approval', item: ITEM });
const gate = { ...gateView('chapters[3]/ask'), item: ITEM };
const view = runView([stepView('chapters', { kind: 'for_each', state: 'running' }), step], { state: 'waiting', gates: [gate] });

/** Every place that names a step within a loop. */
const PLACES: Record<string, () => string> = {
  status: () => renderTree(view, { colors, columns: 120, now: 0 }).join('\n'),
  'a followed run': () =>
    changesBetween(undefined, view)
      .map((change) => renderChange(change, colors))
      .join('\n'),
  journal: () =>
    renderEntry({ seq: 1, at: '2026-01-05T07:30:00Z', item: ITEM, kind: 'step', step: 'chapters[3]/ask', state: 'done' }, colors),
  'a gate': () => renderGate(gate, colors, () => []),
  inbox: () =>
    renderInboxGate('r', gate, true, { flags: '', embedded: true, address: '127.0.0.1:1', namespace: 'default' } as never, colors),
  why: () =>
    renderWhy(
      view,
      reasonsOf(view, []).map((reason) => ({ ...reason, clear: [] })),
      colors,
      0,
    ),
  'why a held step': () =>
    renderWhy(
      view,
      reasonsOf({ ...view, gates: [], held: [{ step: 'chapters[3]/ask', item: ITEM, reason: 'no' }] }, []).map((reason) => ({
        ...reason,
        clear: [],
      })),
      colors,
      0,
    ),
  'a message to a channel': () => noticeText({ kind: 'gate', run: 'r', message: 'Go?', gate: { ...gate, key: 'k', commands: [] } }).text,
};

test.each(Object.entries(PLACES))(
  'a step within a loop is named with its item in %s, and nothing in that steers a terminal',
  (_, shown) => {
    const text = shown();
    expect(text).toContain('Chapter three');
    expect(text).not.toContain('\u001b[2J');
  },
);
