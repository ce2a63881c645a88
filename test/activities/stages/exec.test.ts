import { GroupProcessRunner } from '../../../activities/adapters/processes/process-runner';
import type { CommandRequest } from '../../../activities/ports';
import { failureOf, scratchFolder } from '../workshop';
import { out, ports, stage } from './pipe';

const ITEMS = ['a', { b: 1 }, 2];

describe('exec', () => {
  test('outputs the lines of a command that runs without a shell', async () => {
    expect(await out([], stage('exec', 'printf', '%s\\r\\n\\n%s', '$HOME', 'b c'))).toEqual(['$HOME', 'b c']);
  });

  test.each([
    ['--shell', stage('exec', { shell: 'echo a; echo b' })],
    ['one word with a space in it', stage('exec', 'echo a; echo b')],
  ])('runs a line under the shell: %s', async (_, call) => {
    expect(await out(ITEMS, call)).toEqual(['a', 'b']);
  });

  test('takes the shell that LOBSTER_SHELL names', async () => {
    const asked: CommandRequest[] = [];
    const processes = new GroupProcessRunner();
    const watched = ports(
      { LOBSTER_SHELL: ' /bin/bash ' },
      {
        processes: Object.assign(processes, {
          run: async (request: CommandRequest) => {
            asked.push(request);
            return { stdout: '', stderr: '' };
          },
        }),
      },
    );
    await out([], stage('exec', { shell: 'echo a' }), watched);
    expect(asked[0]?.command).toEqual({ argv: ['/bin/bash', '-lc', 'echo a'] });
  });

  test('outputs the JSON that a command prints, each entry of a list', async () => {
    expect(await out([], stage('exec', 'echo', '[1, {"a": 2}]', { json: true }))).toEqual([1, { a: 2 }]);
    expect(await out([], stage('exec', 'echo', '{"a": 2}', { json: true }))).toEqual([{ a: 2 }]);
    expect(await out([], stage('exec', 'true', { json: true }))).toEqual([null]);
  });

  test.each([
    ['raw', 'a\n{"b":1}\n2'],
    ['json', '["a",{"b":1},2]'],
    ['jsonl', '"a"\n{"b":1}\n2\n'],
    ['JSONL', '"a"\n{"b":1}\n2\n'],
  ])('gives a command the items: --stdin %s', async (mode, text) => {
    expect(await out(ITEMS, stage('exec', 'base64 | tr -d "\\n"', { stdin: mode }))).toEqual([Buffer.from(text).toString('base64')]);
  });

  test('gives a command no input unless --stdin says so', async () => {
    expect(await out(ITEMS, stage('exec', 'cat'))).toEqual([]);
    expect(await out([], stage('exec', 'cat', { stdin: 'json' }))).toEqual(['[]']);
  });

  test('runs in the folder of the pipe, with its environment', async () => {
    const folder = scratchFolder();
    const lines = await out([], stage('exec', { shell: 'pwd -P; echo $MINE' }), ports({ MINE: 'yes' }, { cwd: folder }));
    expect(lines).toEqual([expect.stringContaining(folder.split('/').at(-1) ?? ''), 'yes']);
  });

  test.each([
    [stage('exec', { shell: 'echo out; echo why >&2; exit 3' }), 'exec failed (3): why', 3],
    [stage('exec', { shell: 'exit 4' }), 'exec failed (4): exit 4', 4],
    [stage('exec', '/no/such-program', 'x'), 'exec command not found: /no/such-program', 127],
  ])('fails with the exit code and what the command said: $flags', async (call, message, exitCode) => {
    expect(await failureOf(out([], call))).toMatchObject({ code: 'command.failed', message, details: { exitCode } });
  });

  test.each([
    [stage('exec'), 'exec requires a command'],
    [stage('exec', 'cat', { stdin: 'xml' }), 'exec --stdin must be raw, json, or jsonl (got xml)'],
    [stage('exec', 'echo', 'nope', { json: true }), 'exec --json could not parse stdout as JSON: '],
  ])('fails where the stage is wrong: $words', async (call, message) => {
    const failure = await failureOf(out([], call));
    expect([failure.code, failure.message.startsWith(message)]).toEqual(['stage.failed', true]);
  });

  test('fails if a command outputs more than is taken', async () => {
    const endless = stage('exec', { shell: 'yes' });
    expect((await failureOf(out([], endless, ports({}, { limitBytes: 1000 })))).code).toBe('output.too-large');
    expect((await failureOf(out([], endless, ports({ LOBSTER_MAX_OUTPUT_BYTES: '10' })))).code).toBe('output.too-large');
    expect((await failureOf(out([], endless, ports({ LOBSTER_MAX_OUTPUT_BYTES: 'ten' })))).code).toBe('stage.failed');
  });
});
