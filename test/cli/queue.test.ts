import { renderQueue } from '../../cli/rendering/queue';
import { DEFAULT_QUEUE_SETTINGS } from '../../plan/queue/queue-settings';
import type { QueueView } from '../../plan/queue/queue-view';
import type { TicketOutcome } from '../../plan/queue/ticket';
import { fakeTerminal } from './fake-terminal';

const terminal = fakeTerminal({ columns: () => 200 });
const NAME = 'queue:/srv/lib#main';
const EMPTY: QueueView = { line: [], waiting: [], done: [] };

const ticket = (number: number) => ({
  ...{
    ticket: number,
    run: 'build',
    candidate: `${number}`.repeat(40),
    title: `Add part ${number}`,
    author: 'engineer',
    priority: 3 as const,
  },
});

function cells(view: Partial<QueueView>): string[][] {
  const [, ...lines] = renderQueue(NAME, { ...EMPTY, ...view }, terminal)
    .trimEnd()
    .split('\n');
  return lines.map((line) => line.trim().split(/ {2,}/));
}

test('a queue without work says so', () => {
  expect(renderQueue(NAME, EMPTY, terminal)).toBe(`${NAME}\nnothing waits\n`);
});

test('what is tested, what waits and what is still being read, in this order', () => {
  const line = [
    { number: 1, stage: 'testing' as const, tickets: [ticket(1), ticket(2)], onto: 'a'.repeat(40) },
    { number: 2, stage: 'merging' as const, tickets: [ticket(3)], trouble: 'this host has no repository /srv/lib' },
  ];
  expect(cells({ line, waiting: [ticket(4), { ticket: 5, run: 'other' }], moreWaiting: 7 })).toEqual([
    ['TICKET', 'CANDIDATE', 'TITLE', 'AUTHOR', 'STATE'],
    ['1', '1111111111', 'Add part 1', 'engineer', 'testing', 'on aaaaaaaaaa'],
    ['2', '2222222222', 'Add part 2', 'engineer', 'testing', 'on aaaaaaaaaa'],
    ['3', '3333333333', 'Add part 3', 'engineer', 'merging', 'tried again: this host has no repository /srv/lib'],
    ['4', '4444444444', 'Add part 4', 'engineer', 'waiting'],
    ['5', 'being read'],
    ['and 7 more'],
  ]);
});

test('what somebody should look at comes after what became of a candidate', () => {
  const remarks = ['it removes tests: "a.test.js"', 'it skips tests in: "b\u001b[31m"'];
  const seen = { ...ticket(1), remarks };
  const line = [{ number: 1, stage: 'testing' as const, tickets: [seen], onto: 'a'.repeat(40) }];
  const done = [{ ...seen, outcome: { kind: 'merged' as const, result: 'b'.repeat(40) }, at: '2026-11-23T10:00:00.000Z' }];
  const [, testing, merged] = cells({ line, done });
  expect(testing?.at(-1)).toBe('on aaaaaaaaaa; it removes tests: "a.test.js"; it skips tests in: "b"');
  expect(merged?.at(-1)).toMatch(/in bbbbbbbbbb; it removes tests: "a\.test\.js"; it skips tests in: "b"$/);
});

const output = { kind: 'artifact', sha256: 'f'.repeat(64), sizeBytes: 10, mediaType: 'text/plain' } as never;

test.each<[string, TicketOutcome, RegExp]>([
  ['merged', { kind: 'merged', result: 'b'.repeat(40) }, /in bbbbbbbbbb$/],
  ['merged before', { kind: 'merged', result: 'b'.repeat(40), already: true }, /the branch had it already$/],
  ['a conflict', { kind: 'conflict', onto: 'a', paths: ['a', 'b', 'c', 'd', 'e', 'f\ng'], morePaths: 4 }, /a, b, c, d, e and 5 more$/],
  ['restricted paths', { kind: 'restricted', paths: ['package-lock.json'] }, /package-lock\.json$/],
  ['conflict markers', { kind: 'markers', paths: ['a.txt'] }, /a\.txt$/],
  ['no common history', { kind: 'unrelated', onto: 'a' }, /it shares no history with the branch$/],
  [
    'red',
    { kind: 'red', onto: 'a', result: 'b', of: 'queue', reason: 'it ended\nwith 1', tail: '', output },
    /it ended with 1; output: f{12}$/,
  ],
  ['refused', { kind: 'refused', message: 'there is no submission; submit it' }, /there is no submission; submit it$/],
  ['failed', { kind: 'failed', code: 'git.failed', message: 'git\u001b[31m failed' }, /git.* failed$/],
  ['dropped', { kind: 'dropped', by: 'ann' }, /by ann$/],
])('what came back: %s', (_, outcome, expected) => {
  const rows = renderQueue(NAME, { ...EMPTY, done: [{ ...ticket(1), outcome, at: '2026-11-23T10:00:00.000Z' }] }, terminal).trimEnd();
  expect(rows.split('\n').at(-1)).toMatch(expected);
  expect(rows).toContain(outcome.kind);
  expect(rows).not.toContain('\u001b');
});

test('a pause says by whom and why, and a queue without a test says so while it works', () => {
  const rules = { ...DEFAULT_QUEUE_SETTINGS, timeoutMs: 1 };
  const [head] = renderQueue(NAME, { ...EMPTY, paused: { by: 'ann', reason: 'a release\nis near' }, settings: rules }, terminal).split(
    '\n',
  );
  expect(head).toBe(`${NAME} · paused by ann: a release is near · no test of its own`);
});
