import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitHead } from '../../activities/adapters/git-head';
import { readObject } from '../../client/callbacks/read-request';
import { isUndecodable } from '../../plan/run/signal';
import { payloadConverter } from '../../workflows/temporal/payload-converter';
import { scratchFolder } from '../support/scratch-folder';

/** Outsiders' input that would overload the code is refused at the entrance. */

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const payload = (text: string) => ({ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(text) });

test.each([501, 10_000, 500_000])('a payload of %i levels is one that cannot be decoded', (levels) => {
  expect(isUndecodable(payloadConverter.fromPayload(payload(nested(levels))))).toBe(true);
});

test('a payload that is long, and not deep, is decoded', () => {
  const text = `${nested(500)}${' '.repeat(1000)}`;
  expect(payloadConverter.fromPayload(payload(text))).toEqual(JSON.parse(text));
  expect(payloadConverter.fromPayload(payload(JSON.stringify(Array(100_000).fill([1]))))).toHaveLength(100_000);
});

test('a body posted to the listener is refused if it nests without end', () => {
  expect(() => readObject(`{"response":${nested(30_000)}}`)).toThrow(/is not JSON/);
});

test('a file .git of blanks without end does not hold up a heartbeat', async () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'real'));
  writeFileSync(join(folder, 'real', 'HEAD'), `${'a'.repeat(40)}\n`);
  // A search that starts again at each blank would take 10^11 steps.
  writeFileSync(join(folder, '.git'), `gitdir: x${' '.repeat(900_000)}\ny`);
  expect(await gitHead(folder)).toBeUndefined();
  writeFileSync(join(folder, '.git'), `gitdir:   real${' '.repeat(1000)}\n`);
  expect(await gitHead(folder)).toBe('a'.repeat(40));
});
