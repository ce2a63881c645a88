import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { fileLog, jsonLog, printedLog } from '../../cli/session/worker-log';
import { logTo } from '../../cli/terminal';
import { stateLayout } from '../../records/directory/state-layout';
import { scratchFolder } from '../support/scratch-folder';

test('JSON lines have the fields, and no field hides time, level or worker', () => {
  const lines: string[] = [];
  jsonLog('me', (line) => lines.push(line) > 0)('warn', 'a\nline', { run: 'r', step: 's', try: 2, level: 'forged' });
  jsonLog('me', (line) => lines.push(line) > 0)('debug', 'nothing');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[^\n]+\n$/);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    ...{ run: 'r', step: 's', try: 2, level: 'warn', worker: 'me', msg: 'a\nline' },
    time: expect.stringMatching(/Z$/),
  });
});

test('an error is written with its text, and no value stops the log', () => {
  const lines: string[] = [];
  const error = new Error('away');
  jsonLog('me', (line) => lines.push(line) > 0)('error', 'failed', { error, nested: { error }, count: 3n });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    error: expect.stringContaining('Error: away'),
    nested: { error: expect.stringContaining('Error: away') },
    count: '3',
  });
});

test('lines that nobody reads are left out, and the next one says how many', () => {
  const lines: string[] = [];
  let isRead = true;
  const print = (line: string): boolean => {
    if (isRead) lines.push(line);
    return isRead;
  };
  for (const log of [jsonLog('me', print), printedLog(print)]) {
    log('info', 'first');
    isRead = false;
    for (let n = 0; n < 3; n += 1) log('info', 'unread');
    isRead = true;
    log('info', 'second');
    log('info', 'third');
  }
  const said = lines.join('').trim().split('\n');
  expect(said).toHaveLength(8);
  expect(said.filter((line) => line.includes('3 lines of the log are left out'))).toEqual([said[1], said[5]]);
  expect(JSON.parse(said[1] ?? '')).toMatchObject({ level: 'warn', worker: 'me' });
});

test('a reader that stops is waited for with a mebibyte, and one that has gone with nothing', () => {
  const read: string[] = [];
  let go = (): void => undefined;
  const stream = new Writable({
    decodeStrings: false,
    write(line: string, _, done) {
      read.push(line);
      go = done;
    },
  });
  const log = jsonLog('me', logTo(stream));
  const waits = (): number => stream.writableLength;
  const fill = (): void => {
    for (let n = 0; n < 3000; n += 1) log('info', 'x'.repeat(1024));
  };
  fill();
  expect(waits()).toBeGreaterThan(1024 * 1024);
  expect(waits()).toBeLessThan(1024 * 1024 + 2048);
  while (waits() > 0) go();
  log('info', 'after');
  expect(read.at(-1)).toMatch(/lines of the log are left out.*\n.*after/);
  stream.on('error', () => undefined).destroy(new Error('gone'));
  const left = waits();
  fill();
  expect(waits()).toBe(left);
});

test('a log file that is large becomes the one before, and a new one begins', () => {
  const root = scratchFolder();
  const path = stateLayout(root).workerLog;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.alloc(16 * 1024 * 1024, 10));
  const log = fileLog(root, 'me');
  expect(existsSync(`${path}.1`)).toBe(false);
  log('info', 'first');
  log('info', 'second');
  expect(statSync(`${path}.1`).size).toBe(16 * 1024 * 1024);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(2);
});
