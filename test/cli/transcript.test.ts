import { createColors } from 'picocolors';
import { renderTranscriptLine } from '../../cli/rendering/transcript';
import type { Json } from '../../plan/text/json';
import { recordedLines } from '../../records/transcripts/transcript-log';

const plain = createColors(false);
const shown = (line: Json) => renderTranscriptLine(line, plain);

test('a turn is reported with who said it, in which request, and what it calls', () => {
  const calls = [{ id: 'c', tool: 'read_file', args: { path: 'a\nb' } }];
  expect(shown({ ask: 1, turn: { role: 'assistant', text: 'Let me see.', calls } })).toBe(
    'assistant request 1\nLet me see.\ncalls read_file {"path":"a\\nb"}\n',
  );
});

test.each([
  ['what was refused', { refused: true }, 'tool run (refused) request 2\nno\n'],
  ['what was not', {}, 'tool run request 2\nno\n'],
])('a result is reported with its tool: %s', (_what, more, text) => {
  expect(shown({ ask: 2, turn: { role: 'tool', text: 'no', call: { id: 'c', tool: 'run', args: {} }, ...more } })).toBe(text);
});

test('why a turn is no whole reply is reported; marks of order are not', () => {
  expect(shown({ ask: 1, turn: { role: 'assistant', text: 'half', stop: 'cut' } })).toBe('assistant (cut) request 1\nhalf\n');
  expect(shown({ ask: 1, end: true })).toBe('');
});

test('what a model writes moves no cursor', () => {
  expect(shown({ ask: 1, turn: { role: 'assistant', text: 'a\u001b[2Jb' } })).toBe('assistant request 1\nab\n');
});

test('a try that goes on from others shows what it has from them, as much as it had when it began', async () => {
  const logs: Record<string, Json[]> = {
    'a#1~1/transcript': ['one', 'two', 'later'],
    'a#1~2/transcript': [{ adopts: 'a#1~1', lines: 2 }, 'three', 'later'],
    'a#1~3/transcript': [{ adopts: 'a#1~2', lines: 2 }, 'four'],
  };
  const ledger = { lines: async (_key: unknown, log: string) => logs[log] ?? [] };
  const key = { workflowId: 'w', run: 'r' };
  const lines = await recordedLines(ledger, key, 'a#1~3');
  expect(lines).toEqual([
    { line: 'one', of: 'a#1~1' },
    { line: 'two', of: 'a#1~1' },
    { line: 'three', of: 'a#1~2' },
    { line: 'four', of: 'a#1~3' },
  ]);
});
