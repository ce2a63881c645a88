import fs from 'node:fs';
import { beginningIn, identifySelf, isRunning } from '../../records/locks/process-identity';

/** A line of `/proc/PID/stat`, up to the field after the start time. */
const stat = (state: string, threads: number, command = 'temporal'): string =>
  `77 (${command}) ${state} 1 77 77 0 -1 4194304 ${'0 '.repeat(8)}20 0 ${threads} 0 48021 1484`;

test.each([
  ['runs', 'S', 12, '48021'],
  ['is ending: its first thread is gone and others are not', 'Z', 2, '48021'],
  ['has ended, and nobody reaped it', 'Z', 1, undefined],
  ['is dead', 'X', 1, undefined],
])('a process that %s', (_what, state, threads, began) => {
  expect(beginningIn(stat(state, threads))).toBe(began);
});

test('a command may be called anything', () => {
  expect(beginningIn(stat('S', 1, 'a) Z 1 (b'))).toBe('48021');
});

test('this process runs', () => {
  expect(isRunning(identifySelf())).toBe(true);
});

test.each(['EMFILE', 'ENFILE'])('a process that cannot be looked at because of %s has not ended', (code) => {
  const self = identifySelf();
  jest.spyOn(fs, 'readFileSync').mockImplementationOnce(() => {
    throw Object.assign(new Error(code), { code });
  });
  expect(() => isRunning(self)).toThrow(code);
});
