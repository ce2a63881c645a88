import { programFailure } from '../../activities/adapters/cli-agent/program-failure';
import { gitFailed } from '../../activities/adapters/git/failures';
import { startServerProcess } from '../../activities/adapters/mcp/server-process';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import type { ThermidorFailure } from '../../plan/run/failure';
import { masker } from '../../plan/text/masker';

/** When an output is cut, no half of a secret stays at the cut, however long the secret is. */
const SECRET = `begin-${'0123456789'.repeat(700)}-end`;
const mask = masker([SECRET]);
/** At a cut this many bytes are kept in addition to those that are shown. */
const EDGE = 3 * (mask.longest ?? 0);
const PARTS = ['begin-', '0123456789', '-end'];
/** Masks whole secrets, as callers do. They cannot know half a secret. */
const partsIn = (told: string) => PARTS.filter((part) => mask(told).includes(part));
const signal = new AbortController().signal;

async function failure(script: string, cut: boolean): Promise<ThermidorFailure> {
  const request = { command: { argv: [process.execPath, '-e', script] }, env: { SECRET }, outputLimitBytes: 16 * 1024, mask };
  const running = new GroupProcessRunner().run({ ...request, ...(cut ? { cut: true } : {}) }, signal);
  return await running.then(
    () => Promise.reject(new Error('the command has not failed')),
    (error: ThermidorFailure) => error,
  );
}

const print = (fd: number, before: number, behind: number) =>
  `require('fs').writeSync(${fd}, 'x'.repeat(${before}) + process.env.SECRET + 'y'.repeat(${behind})); process.exit(1)`;

test.each([
  ['stderr of a command, of which the end is kept', print(2, 400_000, 16 * 1024 - 1000), false],
  ['stderr of which the end is kept, and the cut goes through the secret', print(2, 400_000, EDGE + 15_000), false],
  ['stderr of which both ends are kept, in the beginning', print(2, 7000, 900_000), true],
  ['stderr of which both ends are kept, in the end', print(2, 900_000, 7000), true],
  ['stdout of which both ends are kept', print(1, 7000, 900_000), true],
])('%s', async (_, script, cut) => {
  const { message, details } = await failure(script, cut);
  const told = JSON.stringify([message, details]);
  expect(/[xy]{1000}/.test(told)).toBe(true);
  expect(partsIn(told)).toEqual([]);
  expect(mask(told).length).toBeLessThan(cut ? 2 * 16 * 1024 + 1000 : 400_000);
});

test.each([
  ['a line of it', `console.error('x'.repeat(480) + process.env.SECRET)`],
  ['its end', `process.stderr.write('x'.repeat(30000) + '\\n' + process.env.SECRET + 'y'.repeat(1500))`],
])('stderr of a tool server, %s', async (_, script) => {
  const lines: string[] = [];
  const env = { SECRET, PATH: process.env['PATH'] ?? '' };
  const log = (line: string) => void lines.push(mask(line).slice(0, 500));
  const server = startServerProcess({ argv: [process.execPath, '-e', `${script}; process.exitCode = 1`], cwd: '/', env, log, mask });
  const how = await server.ended;
  const told = JSON.stringify([how, lines]);
  expect(/[xy]{400}/.test(told)).toBe(true);
  expect(partsIn(told)).toEqual([]);
});

test('what the program of an agent says', () => {
  const said = `${SECRET}${'y'.repeat(1500)}`;
  const exit = { code: 1, signal: null };
  const trouble = { kind: 'trouble', message: said, fatal: true } as const;
  for (const end of [
    { exit, stderr: said, troubles: [], junk: [] },
    { exit, stderr: '', troubles: [trouble], junk: [] },
  ]) {
    const { message, details } = programFailure('a', { name: 'p' }, end, false, 0, mask) ?? {};
    expect(partsIn(JSON.stringify([message, details]))).toEqual([]);
    expect(message).toContain('***yyy');
  }
});

test('what git says: whole lines of it', () => {
  const { details } = gitFailed('git push', { code: 1 }, `https://x:${SECRET}@host\n${'y'.repeat(4000)}`);
  expect(details).toMatchObject({ stderr: 'y'.repeat(4000) });
});
