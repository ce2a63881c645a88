import { appendFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LogFiles } from '../../records/directory/step-logs/log-files';
import { readLog } from '../../records/directory/step-logs/log-reader';
import { logWriter } from '../../records/directory/step-logs/log-writer';
import type { LogLine } from '../../records/step-logs';
import { KEY, scratchFolder } from '../activities/workshop';
import { openFilesBelow } from '../support/open-files-below';
import { entriesOf } from './kept';

const quiet = { attempt: 1, trouble: () => undefined };
const line = (text: string): LogLine => ({ at: '2026-11-21T07:30:00.000Z', from: 'stdout', text });
const limits = { headBytes: 2000, tailBytes: 1000 };

function smallLog(path: string) {
  return logWriter({ path, name: 'a#1~1', attempt: 1, trouble: () => undefined, makeFolder: async () => undefined, limits });
}

async function read(path: string, from = 0) {
  const entries = [];
  for await (const entry of readLog(path, from)) entries.push(entry);
  return entries;
}

describe('a log that is too long', () => {
  /** A log in which a new writer has written each line, as after crashes. */
  async function long(): Promise<string> {
    const path = join(scratchFolder(), 'a.log');
    for (let n = 0; n < 300; n += 1) {
      const log = smallLog(path);
      log.add([line(`line ${n}`)]);
      await log.close();
    }
    return path;
  }

  test('keeps its beginning and its end, and says how much is missing between', async () => {
    const path = await long();
    const entries = await read(path);
    const texts = entries.flatMap((entry) => (entry.kind === 'line' && entry.from === 'stdout' ? entry.text : []));
    expect(texts[0]).toBe('line 0');
    expect(texts.at(-1)).toBe('line 299');
    expect(entries.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
    for (const name of readdirSync(join(path, '..'))) expect(statSync(join(path, '..', name)).size).toBeLessThan(2100);
  });

  test('is read on from any position in it, once each', async () => {
    const path = await long();
    const all = await read(path);
    for (const [n, { next }] of all.entries()) expect(await read(path, next)).toEqual(all.slice(n + 1));
  });
});

test('lines that come at once are one write, and none is lost between two writes', async () => {
  const root = scratchFolder();
  const log = new LogFiles(root).open(KEY, 'a#1~1', quiet);
  for (let n = 0; n < 5000; n += 1) {
    log.add([line(`${n}`)]);
    if (n % 100 === 0) await new Promise(setImmediate);
  }
  await log.close();
  const texts = (await entriesOf(root, 'a#1~1')).flatMap((entry) => (entry.kind === 'line' && entry.from === 'stdout' ? entry.text : []));
  expect(texts).toEqual(Array.from({ length: 5000 }, (_, n) => `${n}`));
});

test('what waits for the disk is bounded, and what is left out is reported', async () => {
  const root = scratchFolder();
  const log = new LogFiles(root).open(KEY, 'a#1~1', quiet);
  let added = 0;
  for (; !log.isBehind; added += 1) log.add([line('x'.repeat(1000))]);
  expect(added).toBeLessThan(1100);
  log.leftOut(12345);
  await log.close();
  const entries = await entriesOf(root, 'a#1~1');
  expect(entries.at(-1)).toMatchObject({ from: 'note', text: expect.stringContaining('12345 bytes left out') });
});

test('a disk that answers after the log was closed leaves no file open, and nothing out', async () => {
  const folder = scratchFolder();
  const path = join(folder, 'a.log');
  let answer: () => void = () => undefined;
  const disk = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const log = logWriter({ path, name: 'a#1~1', ...quiet, makeFolder: () => disk });
  log.add([line('late')]);
  await log.close();
  answer();
  const isWritten = async () => (await read(path)).some((entry) => entry.kind === 'line' && entry.text === 'late');
  while (!(await isWritten()) || openFilesBelow(folder).length > 0) await new Promise(setImmediate);
});

test('a line torn by a crash is left out, and the next one is whole', async () => {
  const root = scratchFolder();
  const files = new LogFiles(root);
  const first = files.open(KEY, 'a#1~1', quiet);
  first.add([line('one')]);
  await first.close();
  appendFileSync((await files.locate(KEY, 'a#1~1'))!, '2026-11-21T07:30:0');
  expect(await entriesOf(root, 'a#1~1')).toHaveLength(2);
  const second = files.open(KEY, 'a#1~1', { ...quiet, attempt: 2 });
  second.add([line('two')]);
  await second.close();
  const texts = (await entriesOf(root, 'a#1~1')).map((entry) => entry.kind === 'line' && entry.text);
  expect(texts).toEqual(['log of a#1~1', 'one', 'goes on, attempt 2', 'two']);
});

test('logs are listed by their names, even if those are too long for a file', async () => {
  const root = scratchFolder();
  const files = new LogFiles(root);
  const names = ['a#1~1', `${'each[3]/'.repeat(40)}Lint#2~3`];
  for (const name of names) {
    const log = files.open(KEY, name, quiet);
    log.add([line('x')]);
    await log.close();
  }
  expect((await files.list(KEY)).sort()).toEqual(names.sort());
  await expect(files.list({ workflowId: 'other', run: 'x' })).resolves.toEqual([]);
});
