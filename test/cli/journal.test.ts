import { concerns, renderEntry } from '../../cli/rendering/journal';
import type { JournalEntry, JournalEvent } from '../../plan/run/journal';
import { parseJson } from '../../plan/text/json-text';
import { fakeTerminal } from './fake-terminal';

const { colors } = fakeTerminal();
const entry = (event: JournalEvent): JournalEntry => ({ seq: 1, at: '2026-11-21T07:30:00.000Z', ...event });
const envelope = (ref_task: string, payload: unknown = null): JournalEntry =>
  entry({
    kind: 'envelope',
    envelope: { from: 'a', to: 'b', intent: 'assign_task', ref_task, payload: payload as null, expect_response: true },
  });

const EVENTS: JournalEvent[] = [
  { kind: 'run', state: 'failed', error: { code: 'model.refused', message: 'no' } },
  { kind: 'step', step: 'bull#2', state: 'done' },
  { kind: 'gate', step: 'approve', event: 'opened', question: 'Trade?' },
  {
    kind: 'decision',
    step: 'approve',
    decision: { choice: 'approve', at: '', via: 'update', identity: 'claimed', shownSha256: '', by: 'chairman' },
  },
  { kind: 'signal', name: 'approve', outcome: 'late', payload: { step: 'approve' } },
  { kind: 'pattern', step: 'decide', type: 'vote', from: 'cfo', data: { vote: 'APPROVE' }, refused: 'late\nvote' },
  { kind: 'notification', channel: '#errors', delivered: false, message: 'm' },
];

test('a message that nothing handles says so', () => {
  const message = envelope('r/go/go_impl#1~1');
  expect(renderEntry(message, colors)).not.toContain('unrouted');
  expect(renderEntry({ ...message, ...{ unrouted: true } }, colors)).toContain('assign_task  unrouted');
});

test('every kind of entry is one line', () => {
  for (const event of EVENTS) expect(renderEntry(entry(event), colors)).toMatch(new RegExp(`^ +1 .*${event.kind}`));
  for (const event of EVENTS) expect(renderEntry(entry(event), colors)).not.toContain('\n');
});

test('a text from outside stays on its line and brings no escape sequences', () => {
  const nasty: JournalEvent = { kind: 'signal', name: 'approve', outcome: 'refused', reason: '\u001b[2Jx\ny' };
  expect(renderEntry(entry(nasty), colors)).toContain('x y');
  expect(renderEntry(entry(nasty), colors)).not.toContain('\u001b');
});

test('a payload by reference is shown by its name', () => {
  expect(renderEntry(envelope('r/bull', { $ref: 'Bullish_Brief.json', sha256: 'x' }), colors)).toContain('Bullish_Brief.json');
});

test('a step’s entries are found by id in whatever round, and by address in that round', () => {
  const second = entry({ kind: 'step', step: 'bull#2', state: 'done' });
  expect([concerns(second, 'bull'), concerns(second, 'bull#2'), concerns(second, 'bull#1'), concerns(second, 'bear')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(concerns(envelope('daily-7f3k2a/bull'), 'bull')).toBe(true);
  expect(concerns(entry({ kind: 'signal', name: 'retry', outcome: 'applied', payload: { step: 'bull' } }), 'bull')).toBe(true);
  expect(concerns(entry({ kind: 'run', state: 'running' }), 'bull')).toBe(false);
});

test('a step’s entries are also those of what is within it', () => {
  const inner = entry({ kind: 'step', step: 'each[3]/lint#2', state: 'done' });
  expect(['each', 'each[3]', 'lint', 'each[3]/lint#2'].map((step) => concerns(inner, step))).toEqual([true, true, true, true]);
  expect(['eac', 'each[4]', 'each[3]/li'].map((step) => concerns(inner, step))).toEqual([false, false, false]);
  expect(concerns(entry({ kind: 'gate', step: 'ship#2/allow', event: 'opened' }), 'allow')).toBe(true);
});

test('numbers of a payload are shown as they were written', () => {
  expect(renderEntry(envelope('a#1', parseJson('{"price":1.10}')), colors)).toContain('{"price":1.10}');
});
