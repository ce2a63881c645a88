import { budgetLines } from '../../cli/rendering/budget';
import { renderRounds } from '../../cli/rendering/rounds';
import { renderWhy } from '../../cli/rendering/why';
import { fakeTerminal } from './fake-terminal';
import { at, runView, stepView } from './views';

const { colors } = fakeTerminal();
const NOW = Date.parse(at(60));

test('a budget is reported with what is spent, held and left of each ceiling', () => {
  const text = budgetLines(
    'run',
    {
      tokens: { ceiling: 120_000, spent: 90_000, reserved: 10_000, left: 20_000 },
      costMicroUsd: { ceiling: 5_000_000, spent: 4_900_000, reserved: 0, left: 100_000 },
      wallClockMs: { ceiling: 3_600_000, spent: 60_000, left: 3_540_000 },
      toolCallsPerStep: 20,
      unknownCost: true,
    },
    colors,
  );
  expect(text.split('\n')).toEqual([
    'budget of run: tokens spent 90.0k, reserved 10.0k, left 20.0k of 120.0k',
    'budget of run: cost spent $4.9000, left $0.1000 of $5.0000',
    'budget of run: time spent 1 min 00 s, left 59 min 00 s of 1 h 00 min',
    'budget of run: at most 20 tool calls a step',
    'budget of run: part of the cost is unknown',
    '',
  ]);
});

test('rounds are reported with their verdict, what it says, and where the output is', () => {
  const artifact = { sha256: 'a'.repeat(64), sizeBytes: 1, mediaType: 'application/json', name: 'Review_Report.json' };
  const verdict = { verdict: 'revise' as const, findings: { critical: 2 }, summary: 'stop is\nmissing' };
  const first = { address: 'review', state: 'superseded' as const, round: 1, try: 1, startedAt: at(0), endedAt: at(1), verdict, artifact };
  const view = runView([
    stepView('bull', { state: 'done' }),
    stepView('review', {
      address: 'review#2',
      round: 2,
      state: 'done',
      verdict: { verdict: 'pass', findings: {}, delta: { resolved: 2, remaining: 1, added: 0 } },
      superseded: [first],
    }),
  ]);
  const lines = renderRounds(view, ({ round }) => (round === 1 ? '/state/review.json' : undefined), colors, NOW).split('\n');
  expect(lines[0]).toBe('review');
  expect(lines[1]).toMatch(/round 1 +superseded.*revise.*2 critical/);
  expect(lines.slice(2, 4)).toEqual(['    stop is missing', '    /state/review.json']);
  expect(lines[4]).toMatch(/round 2 +done.*pass.*2 resolved, 1 left, 0 new/);
});

test('a run whose steps are all in their first round says so', () => {
  expect(renderRounds(runView([stepView('a')]), () => undefined, colors, NOW)).toContain('first round');
});

test('a reason is reported with since when, until when, who can clear it, and the line that does', () => {
  const gate = {
    kind: 'gate' as const,
    step: 'approve',
    text: 'a decision: Trade?',
    since: at(0),
    until: at(90),
    remindAt: at(70),
    who: 'chairman',
  };
  const lines = renderWhy({ run: 'r1', state: 'waiting' }, [{ ...gate, clear: ['thermidor approve r1'] }], colors, NOW).split('\n');
  expect(lines[1]).toBe('? approve  a decision: Trade?');
  expect(lines[2]).toMatch(/since .*\(1 min 00 s\), until .*, next reminder/);
  expect(lines.slice(3, 5)).toEqual(['  can be cleared by: chairman', '    thermidor approve r1']);
});

test('the words of an escalation chain are below the reason, before who can clear it', () => {
  const said = [{ agent: 'ceo', said: 'advises another revision: halve\nit', advice: 'revise' as const }];
  const reason = { kind: 'gate', step: 'review', text: 'a decision: It blocks.', said, who: 'chairman', clear: [] } as const;
  const lines = renderWhy({ run: 'r1', state: 'waiting' }, [reason], colors, NOW).split('\n');
  expect(lines.slice(1, 4)).toEqual([
    '? review  a decision: It blocks.',
    '  ceo advises another revision: halve it',
    '  can be cleared by: chairman',
  ]);
});

test('text from outside stays on its line and brings no escape sequences', () => {
  const text = renderWhy({ run: 'r1', state: 'held' }, [{ kind: 'held', step: 'a', text: 'held: \u001b[2Jx\ny', clear: [] }], colors, NOW);
  expect(text).toContain('held: x y');
  expect(text).not.toContain('\u001b');
});
