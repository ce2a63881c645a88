import { type PrintedRerun, printRerun } from '../../cli/commands/rerun';
import { fakeTerminal } from './fake-terminal';

const told: PrintedRerun = {
  run: 'second',
  rerunOf: 'first',
  from: 'pay',
  carried: ['prepare', 'review'],
  again: ['ask', 'pay'],
  gates: {
    carried: [
      { gate: 'review', choice: 'approve', by: ['ann', 'eve'], at: '2026-01-05T07:30:00.000Z', identity: 'proven' },
      { gate: 'idle', choice: 'approve', by: [] },
    ],
    again: [{ gate: 'ask', because: 'pay reads arg amount, which has changed' }],
  },
  notes: [],
};

test('a rerun tells which decisions hold and which are asked again, and why', () => {
  const lines: string[] = [];
  printRerun(told, (text) => lines.push(text), fakeTerminal());
  expect(lines.join('').split('\n')).toEqual([
    'second  rerun of first from pay',
    '  carried over: prepare, review',
    '  runs again: ask, pay',
    '  decisions that remain valid: review (approve by ann, eve), idle (approve, by timeout)',
    '  asked again:',
    '    ask: pay reads arg amount, which has changed',
    '',
  ]);
});

test('a rerun of a run without gates says nothing about gates', () => {
  const lines: string[] = [];
  printRerun({ ...told, gates: { carried: [], again: [] } }, (text) => lines.push(text), fakeTerminal());
  expect(lines).toHaveLength(3);
});
