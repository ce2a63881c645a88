import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Toolbox } from '../../activities/toolbox';
import { RESULT_CHARACTERS } from '../../activities/tools/truncate-result';
import { isRunning } from '../support/agent-programs/programs';
import { ALARMS, ring, standStill } from '../support/fake-timers';
import { until } from '../support/until';
import { type ToolBench, toolBench } from './tool-use';

const node = (code: string) => ({ argv: [process.execPath, '-e', code] });

async function ran(args: Parameters<ToolBench['call']>[1], bench = toolBench()): Promise<string> {
  const { text, refused } = await bench.call('run', args);
  expect(refused).toBeUndefined();
  return text;
}

afterEach(() => jest.useRealTimers());

test('a program runs in the step’s folder, and its output is reported', async () => {
  const bench = toolBench();
  writeFileSync(join(bench.folder, 'a'), '');
  expect(await ran({ argv: ['ls'] }, bench)).toBe('exit code 0\n--- stdout ---\na');
  expect(await ran({ argv: ['true'] }, toolBench())).toBe('exit code 0\n[no output]');
});

test('no shell reads its words', async () => {
  expect(await ran({ argv: ['echo', '$HOME; `id` && *', 'a  b'] })).toBe('exit code 0\n--- stdout ---\n$HOME; `id` && * a  b');
});

test('one that fails is an answer, with both streams', async () => {
  const text = await ran(node('console.log("out"); console.error("err"); process.exitCode = 3'));
  expect(text).toBe('exit code 3\n--- stdout ---\nout\n--- stderr ---\nerr');
});

test.each<[string, string[], RegExp]>([
  ['one that is not there', ['no-such-program-here'], /^exit code 127/],
  ['one that may not be run', ['./plain'], /^exit code 126/],
  ['a NUL character', ['echo', 'a\0b'], /cannot be started/],
  ['one ended by a signal', ['sh', '-c', 'kill -9 $$'], /^ended by SIGKILL/],
])('%s is an answer', async (_, argv, expected) => {
  const bench = toolBench();
  writeFileSync(join(bench.folder, 'plain'), '', { mode: 0o644 });
  expect(await ran({ argv }, bench)).toMatch(expected);
});

test('it has input if that is given, else the end of it at once, and no terminal', async () => {
  expect(await ran({ argv: ['cat'], stdin: 'said' })).toContain('said');
  expect(await ran({ argv: ['cat'] })).toBe('exit code 0\n[no output]');
  expect(await ran({ argv: ['sh', '-c', 'test -t 0 || echo none; echo x > /dev/tty'] })).toMatch(/^exit code [12]\n--- stdout ---\nnone/);
});

test('of much output the two ends are kept, and what is left out is reported', async () => {
  const text = await ran(node('process.stdout.write("BEGIN" + "x".repeat(5e6) + "END")'));
  const told = /^exit code 0\n--- stdout ---\n(BEGINx+)\n\[… (\d+) characters and (\d+) bytes omitted …\]\n(x+END)$/.exec(text);
  const [, beginning = '', characters, bytes, end = ''] = told ?? [];
  expect(beginning.length + Number(characters) + Number(bytes) + end.length).toBe(5e6 + 8);
  expect(text.length).toBeLessThan(RESULT_CHARACTERS);
});

test('one that takes too long is ended, with what it said', async () => {
  const bench = toolBench();
  standStill(...ALARMS);
  const text = ran({ argv: ['sh', '-c', 'echo begun; touch ready; sleep 600'], timeout_seconds: 1 }, bench);
  await until(() => existsSync(join(bench.folder, 'ready')));
  await ring(1000);
  expect(await text).toBe('timed out after 1 s\n--- stdout ---\nbegun');
});

test('what it leaves running is ended with it', async () => {
  const text = await ran({ argv: ['sh', '-c', 'sleep 600 >/dev/null 2>&1 & echo $!'] });
  await until(() => !isRunning(Number(/(\d+)$/.exec(text)?.[1])));
});

test('when the call is aborted the whole group is ended, and the call fails with the reason', async () => {
  const bench = toolBench();
  const stop = new AbortController();
  const reason = new Error('stopped');
  const said = bench.call('run', { argv: ['sh', '-c', 'sleep 600 & echo $! > pid; mv pid ready; wait'] }, { signal: stop.signal });
  await until(() => existsSync(join(bench.folder, 'ready')));
  stop.abort(reason);
  await expect(said).rejects.toBe(reason);
  await until(() => !isRunning(Number(readFileSync(join(bench.folder, 'ready'), 'utf8'))));
});

test('it sees little of the worker’s environment: what is listed, and nothing that leads git elsewhere', async () => {
  const mine = { CI: '1', GIT_DIR: '/elsewhere', GIT_CONFIG_COUNT: '1', HUSH: 'secret' };
  const variables = (names: readonly string[]) => Object.fromEntries(Object.entries(mine).filter(([name]) => names.includes(name)));
  process.env['GIT_WORK_TREE'] = '/elsewhere';
  process.env['THERMIDOR_TEST_HUSH'] = 'secret';
  const bench = toolBench({ variables, toolbox: { toolSettings: { runPassEnv: ['CI', 'GIT_DIR', 'GIT_CONFIG_COUNT'] } } });
  const text = await ran({ argv: ['env'] }, bench);
  delete process.env['GIT_WORK_TREE'];
  delete process.env['THERMIDOR_TEST_HUSH'];
  expect(text).toContain('CI=1');
  expect(text.match(/^(GIT_\w+|HUSH|THERMIDOR_\w+)=/gm)?.sort()).toEqual([
    ...['GIT_CEILING_DIRECTORIES=', 'GIT_CONFIG_COUNT=', 'GIT_CONFIG_KEY_0=', 'GIT_CONFIG_VALUE_0='],
  ]);
});

test('git finds no repository above the step’s folder', async () => {
  const bench = toolBench();
  spawnSync('git', ['init', '-q', join(bench.folder, '..')]);
  mkdirSync(join(bench.folder, 'x'));
  expect(await ran({ argv: ['git', 'status'] }, bench)).toMatch(/^exit code 128/);
});

test.each(['', 'sub'])('git takes nothing that an agent has written for a repository: %j', async (sub) => {
  const bench = toolBench();
  const config = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch owned; false"\n';
  const written = { HEAD: 'ref: refs/heads/main\n', config, 'objects/x': '', 'refs/x': '' };
  for (const [name, content] of Object.entries(written)) await bench.call('write_file', { path: join(sub, name), content });
  await ran({ argv: ['git', '-C', sub === '' ? '.' : sub, 'status'] }, bench);
  expect(readdirSync(join(bench.folder, sub)).sort()).toEqual(['HEAD', 'config', 'objects', 'refs']);
});

test('one call begins it once: if its answer was lost, that is reported', async () => {
  const { folder, call, use } = toolBench();
  const args = { argv: ['sh', '-c', 'echo x >> log'] };
  const lost: Toolbox = { ...use.toolbox, processes: { run: () => Promise.reject(new Error('killed')) } };
  await expect(call('run', args, { toolbox: lost })).rejects.toThrow('killed');
  expect((await call('run', args)).text).toMatch(/^this program was started before/);
  expect(existsSync(join(folder, 'log'))).toBe(false);
  await call('run', args, { idempotencyKey: 'another' });
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('x\n');
});

test('without a program it is refused', async () => {
  expect(await toolBench().call('run', { argv: [''] })).toMatchObject({ refused: true });
});

test.each(['-a', '-c', '--', '-'])('%s is an option, and no program is run by it', async (option) => {
  const { call } = toolBench();
  expect(await call('run', { argv: [option, 'x', 'touch', 'owned'] })).toMatchObject({ refused: true });
});

test('a program that leaves its group, and keeps the streams open, holds nobody up', async () => {
  const { call } = toolBench();
  const argv = ['sh', '-c', 'setsid sleep 5 & echo done'];
  expect((await call('run', { argv })).text).toContain('done');
});
