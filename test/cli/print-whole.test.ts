import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printWhole } from '../../cli/print-whole';
import { fakeTerminal } from './fake-terminal';

const before = process.env['TMPDIR'];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'thermidor-whole-'));
  process.env['TMPDIR'] = folder;
});
afterEach(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  rmSync(folder, { recursive: true, force: true });
});

async function* items(count: number, end?: Error): AsyncGenerator<string> {
  for (let at = 0; at < count; at++) yield JSON.stringify({ at, text: 'ü€😀'.repeat(100) });
  if (end) throw end;
}

test.each([0, 1, 500])('a document with %i items is one document', async (count) => {
  const terminal = fakeTerminal();
  await printWhole('r', 'entries', items(count), terminal);
  const { run, entries } = JSON.parse(terminal.written.out) as { run: string; entries: { at: number; text: string }[] };
  expect([run, entries.length, entries.at(-1)?.at]).toEqual(['r', count, count === 0 ? undefined : count - 1]);
  expect(entries.every(({ text }) => text === 'ü€😀'.repeat(100))).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

test('nothing is printed of a document that cannot be read to its end', async () => {
  const terminal = fakeTerminal();
  const lost = new Error('no worker answers');
  await expect(printWhole('r', 'entries', items(500, lost), terminal)).rejects.toBe(lost);
  expect(terminal.written.out).toBe('');
  expect(readdirSync(folder)).toEqual([]);
});
