import { changesBetween, renderChange } from '../../cli/rendering/changes';
import { renderTree } from '../../cli/rendering/tree';
import { reasonsOf } from '../../client/wait-reasons';
import { INCREMENTS_DESCRIPTION } from '../../kinds/increments/describe';
import type { DeliveryView, IncrementView } from '../../kinds/increments/rules/words';
import { describeCurrent, describeProgress, incrementWords } from '../../kinds/increments/view';
import { fakeTerminal } from '../cli/fake-terminal';
import { at, runView, stepView } from '../cli/views';
import { chain, deliver, failsAt, increments, MINUTE } from './increments-play';
import { settled } from './played';

const { colors } = fakeTerminal();
const VIEW: DeliveryView = {
  ...{ total_increments: 4, completed: 1, current: 2, progress_percent: 25, gate_history: [] },
  increments: [
    { id: 'INCREMENT-1', tasks: ['a'], attempts: 2, status: 'PASS' },
    { id: 'INCREMENT-2', tasks: ['b', 'c'], attempts: 2, status: 'IN_PROGRESS', failed: ['syntax_clean'] },
    { id: 'INCREMENT-3', tasks: ['d'], attempts: 0 },
    { id: 'INCREMENT-4', tasks: ['e'], attempts: 0, status: 'BLOCKED', blockedBy: 'INCREMENT-1' },
  ],
};
const one = (more: Partial<IncrementView>): IncrementView => ({ id: 'I', tasks: ['a'], attempts: 1, ...more });

describe('how a delivery is shown', () => {
  it.each<[IncrementView, string]>([
    [one({ attempts: 0 }), 'not begun'],
    [one({ status: 'IN_PROGRESS' }), 'attempt 1'],
    [
      one({ status: 'IN_PROGRESS', attempts: 2, failed: ['no_regression', 'validator'] }),
      'attempt 2, after no_regression, validator failed',
    ],
    [one({ status: 'PASS' }), 'passed'],
    [one({ status: 'PASS', attempts: 3 }), 'passed with attempt 3'],
    [one({ status: 'BLOCKED', attempts: 4, failed: ['executor'] }), 'blocked after attempt 4: executor failed'],
    [one({ status: 'BLOCKED', attempts: 0, blockedBy: 'INCREMENT-2' }), 'blocked with INCREMENT-2'],
    [one({ status: 'REVERTED' }), 'reverted: the validation of the whole failed'],
  ])('an increment says what it is at: %j', (increment, words) => {
    expect(incrementWords(increment)).toBe(words);
  });

  it('with its increments and per cent, and with what is in progress', () => {
    expect(describeProgress(VIEW)).toBe('1/4 increments, 25 %');
    expect(describeCurrent(VIEW)).toBe('INCREMENT-2, attempt 2, after syntax_clean failed');
    expect(describeCurrent({ ...VIEW, increments: [] })).toBeUndefined();
  });

  it('as a line an increment below its step', () => {
    const view = runView([stepView('deliver', { kind: 'increments', state: 'running', startedAt: at(1), delivery: VIEW })]);
    const lines = renderTree(view, { colors, columns: 120, now: Date.parse(at(60)) });
    expect(lines.map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        expect.stringContaining('1/4 increments, 25 %'),
        expect.stringMatching(/INCREMENT-1 .*passed with attempt 2/),
        expect.stringMatching(/INCREMENT-2 .*attempt 2, after syntax_clean failed/),
        expect.stringMatching(/INCREMENT-3 .*not begun/),
        expect.stringMatching(/INCREMENT-4 .*blocked with INCREMENT-1/),
      ]),
    );
  });

  it('in a log of changes each time that it is otherwise', () => {
    const seen = (delivery: DeliveryView) =>
      runView([stepView('deliver', { kind: 'increments', state: 'running', startedAt: at(1), delivery })]);
    const next: DeliveryView = { ...VIEW, increments: VIEW.increments.map((own, i) => (i === 1 ? { ...own, attempts: 3 } : own)) };
    expect(changesBetween(seen(VIEW), seen(VIEW))).toEqual([]);
    expect(changesBetween(seen(VIEW), seen(next)).map((change) => renderChange(change, colors))).toEqual([
      'deliver           1/4 increments, 25 %; waits for INCREMENT-2, attempt 3, after syntax_clean failed',
    ]);
  });

  it('in the box of a graph', () => {
    const step = increments({}) as never;
    expect(INCREMENTS_DESCRIPTION.label(step, undefined)).toBe('coder, 3 gates');
    expect(INCREMENTS_DESCRIPTION.label(step, stepView('deliver', { delivery: VIEW }))).toBe(
      '1/4 increments, 25 %, INCREMENT-2, attempt 2, after syntax_clean failed',
    );
  });
});

it('why says which increment is awaited, and what has failed of it', async () => {
  const delivered = deliver({
    tasks: chain(2),
    works: (_, attempt) => (attempt === 2 ? { after: MINUTE } : 'done'),
    fails: failsAt('no_regression', '1.1'),
  });
  await settled(delivered);
  expect(reasonsOf(delivered.world.status(), [])).toContainEqual(
    expect.objectContaining({ kind: 'waits', step: 'deliver', text: 'INCREMENT-1, attempt 2, after no_regression failed' }),
  );
  expect(delivered.world.step('deliver')).toMatchObject({
    delivery: { total_increments: 2, completed: 0, current: 1, increments: [{ status: 'IN_PROGRESS', attempts: 2 }, { attempts: 0 }] },
  });
});
