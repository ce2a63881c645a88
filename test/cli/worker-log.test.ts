import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileLog, jsonLog } from '../../cli/session/worker-log';
import { stateLayout } from '../../records/directory/state-layout';
import { scratchFolder } from '../support/scratch-folder';

test('JSON lines have the fields, and no field hides time, level or worker', () => {
  const lines: string[] = [];
  jsonLog('me', (line) => lines.push(line))('warn', 'a\nline', { run: 'r', step: 's', try: 2, level: 'forged' });
  jsonLog('me', (line) => lines.push(line))('debug', 'nothing');
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
  jsonLog('me', (line) => lines.push(line))('error', 'failed', { error, nested: { error }, count: 3n });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    error: expect.stringContaining('Error: away'),
    nested: { error: expect.stringContaining('Error: away') },
    count: '3',
  });
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
