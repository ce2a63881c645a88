import { Options } from '../../cli/command';
import { fitsFilter, readJournalFilter } from '../../cli/journal-filter';
import type { JournalEntry, JournalEvent } from '../../plan/run/journal';

const NOW = Date.parse('2026-11-21T08:00:00.000Z');
const event = (seq: number, what: JournalEvent): JournalEntry => ({ seq, at: new Date(NOW - (10 - seq) * 60_000).toISOString(), ...what });
const envelope = (seq: number, from: string, to: string, intent: 'assign_task' | 'deliver_report'): JournalEntry =>
  event(seq, {
    kind: 'envelope',
    step: 'bull',
    envelope: { from, to, intent, ref_task: 'r/bull#1~1', payload: null, expect_response: true },
  });

const JOURNAL = [
  event(1, { kind: 'run', state: 'running' }),
  event(2, { kind: 'step', step: 'bull', state: 'running' }),
  envelope(3, 'lead', 'bullish', 'assign_task'),
  envelope(4, 'bullish', 'lead', 'deliver_report'),
  event(5, { kind: 'step', step: 'bull', state: 'done' }),
  event(6, { kind: 'gate', step: 'approve', event: 'opened' }),
  event(7, { kind: 'pattern', step: 'decide', type: 'vote', from: 'bullish', data: { vote: 'APPROVE' } }),
  event(8, {
    kind: 'pattern',
    step: 'decide',
    type: 'retro_finding',
    data: { went_well: [], difficult: [], suggestions: [], patterns: [] },
  }),
  event(9, {
    kind: 'envelope',
    step: 'go/go_impl',
    unrouted: true,
    envelope: { from: 'coder', to: 'chief', intent: 'notify', ref_task: 'r/go/go_impl#1~1', payload: null, expect_response: false },
  }),
];

test.each<[string, Record<string, unknown>, number[]]>([
  ['nothing', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['a step', { step: 'bull' }, [2, 3, 4, 5]],
  ['a kind', { kind: ['gate'] }, [6]],
  ['several kinds', { kind: ['gate', 'run'] }, [1, 6]],
  ['a type of feedback', { type: ['vote'] }, [7]],
  ['several types', { type: ['vote', 'retro_finding'] }, [7, 8]],
  ['an intent', { intent: ['deliver_report'] }, [4]],
  ['who sent it', { from: 'lead' }, [3]],
  ['whom it is to', { to: 'lead' }, [4]],
  ['what nothing handles', { unrouted: true }, [9]],
  ['both', { from: 'lead', to: 'lead' }, []],
  ['a number', { after: '4' }, [5, 6, 7, 8, 9]],
  ['how long ago', { since: '5m' }, [5, 6, 7, 8, 9]],
  ['a moment', { since: '2026-11-21T07:56:00Z' }, [6, 7, 8, 9]],
  ['a step and a kind', { step: 'bull', kind: ['step'] }, [2, 5]],
])('picks by %s', (_, options, numbers) => {
  const filter = readJournalFilter(new Options(options), NOW);
  expect(JOURNAL.filter((entry) => fitsFilter(entry, filter)).map(({ seq }) => seq)).toEqual(numbers);
});

test.each([
  ['a kind that is none', { kind: ['gates'] }],
  ['a type that is none', { type: ['ballot'] }],
  ['an intent that is none', { intent: ['deliver'] }],
  ['a moment that is none', { since: 'yesterday-ish' }],
  ['a time ago without a unit', { since: '7' }],
  ['a day as nobody but JavaScript reads it', { since: '11/21/2026' }],
  ['a number that is none', { after: '-1' }],
])('refuses %s', (_, options) => {
  expect(() => readJournalFilter(new Options(options), NOW)).toThrow(expect.objectContaining({ code: 'usage' }));
});
