import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../activities/adapters/process';
import type { CommandRequest } from '../../activities/ports';
import { shellCommand } from '../../activities/shell-template';
import type { Scope } from '../../plan/evaluate';
import type { Template } from '../../plan/expression';
import { codeOf, failureOf, literal, scratchFolder } from './workshop';

const runner = new GroupProcessRunner();
const never = new AbortController().signal;

function request(shell: string, more: Partial<CommandRequest> = {}): CommandRequest {
  return { command: { shell }, env: {}, outputLimitBytes: 1_000_000, ...more };
}

const NASTY = [
  '',
  ' ',
  "it's",
  '"; touch /tmp/no; "',
  '$(echo pwned)',
  '`echo pwned`',
  `$${'{HOME}'}`,
  "'; exit 7; '",
  '\\',
  '\\\\"',
  'a\nb\n\n',
  '* ? [a-z]',
  '-n',
  '--help',
  '# comment',
  'ä€😀',
  '$1 $@ $$ !!',
  '\nEOF\necho pwned\n',
];

const noScope: Scope = {
  output: () => undefined,
  record: () => undefined,
  arg: () => undefined,
  run: () => null,
  variable: () => undefined,
  state: () => 'unsettled',
};

async function runTemplate(template: Template): Promise<string> {
  const { shell, env } = shellCommand(template, noScope);
  return (await runner.run(request(shell, { env }), never)).stdout;
}

describe('a value in a shell command', () => {
  const contexts: [string, (value: string) => Template, (value: string) => string][] = [
    ['bare', (v) => ["printf '<%s>' ", literal(v)], (v) => `<${v}>`],
    ['beside bare text', (v) => ["printf '<%s>' a", literal(v), 'b'], (v) => `<a${v}b>`],
    ['in double quotes', (v) => [`printf '<%s>' "a `, literal(v), ` b"`], (v) => `<a ${v} b>`],
    ['in single quotes', (v) => [`printf '<%s>' 'a `, literal(v), ` b'`], (v) => `<a ${v} b>`],
    ['in $( ) in double quotes', (v) => [`printf '<%s>' "$(printf '%s.' `, literal(v), `)"`], (v) => `<${v}.>`],
    ['in double quotes in $( ) in double quotes', (v) => [`printf '<%s>' "$(printf '%s.' "`, literal(v), `")"`], (v) => `<${v}.>`],
    ['after an escaped quote', (v) => [`printf '<%s>' \\" `, literal(v)], (v) => `<"><${v}>`],
    ['after a comment with a quote', (v) => [`# don't\nprintf '<%s>' `, literal(v)], (v) => `<${v}>`],
    ['in a here-document', (v) => ['cat <<EOF\na ', literal(v), '\nEOF\nprintf done'], (v) => `a ${v}\ndone`],
    ['after a here-document', (v) => [`cat <<'EOF'\nit's\nEOF\nprintf '<%s>' `, literal(v)], (v) => `it's\n<${v}>`],
  ];

  test.each(contexts)('is one word and never code: %s', async (_, template, expected) => {
    for (const value of NASTY) expect([value, await runTemplate(template(value))]).toEqual([value, expected(value)]);
  });

  test('is never code in a comment', async () => {
    for (const value of NASTY) expect(await runTemplate(['printf ok # ', literal(value), '\n'])).toBe('ok');
  });

  test('is refused in a here-document that expands nothing', async () => {
    expect(await codeOf(runTemplate(["cat <<'EOF'\n", literal('x'), '\nEOF']))).toBe('command.failed');
  });

  test('is refused where it holds a NUL character', async () => {
    expect(await codeOf(runTemplate(['echo ', literal('a\0b')]))).toBe('command.failed');
  });
});

describe('a process', () => {
  test('gets its words as they are where there is no shell', async () => {
    const { stdout } = await runner.run(request('', { command: { argv: ['printf', '<%s>', ...NASTY] } }), never);
    expect(stdout).toBe(NASTY.map((value) => `<${value}>`).join(''));
  });

  test('gets its input, and may leave it unread', async () => {
    expect((await runner.run(request('cat', { stdin: 'hello' }), never)).stdout).toBe('hello');
    expect((await runner.run(request('true', { stdin: 'x'.repeat(1_000_000) }), never)).stdout).toBe('');
  });

  test('sees the allowlisted environment, its own, and nothing else', async () => {
    process.env['THERMIDOR_TEST_SECRET'] = 'hush';
    const { stdout } = await runner.run(request('env', { env: { MINE: 'yes' } }), never);
    expect(stdout).toContain('MINE=yes');
    expect(stdout).toContain('LC_ALL=C');
    expect(stdout).not.toContain('hush');
  });

  test('fails with its exit code and the end of its stderr', async () => {
    const failure = await failureOf(runner.run(request('echo out; echo reason >&2; exit 3'), never));
    expect(failure).toMatchObject({ code: 'command.failed', details: { exitCode: 3, stderr: 'reason\n' } });
  });

  test('fails where its program or its folder is not there', async () => {
    expect(await codeOf(runner.run(request('', { command: { argv: ['/no/such/program'] } }), never))).toBe('command.failed');
    expect(await codeOf(runner.run(request('true', { cwd: '/no/such/folder' }), never))).toBe('command.failed');
    expect(await codeOf(runner.run(request('', { command: { argv: [] } }), never))).toBe('command.failed');
  });

  test('is ended with its whole group when its time is up', async () => {
    const pids = join(scratchFolder(), 'pids');
    const failure = await failureOf(runner.run(request(`sleep 300 & echo $! > ${pids}; wait`, { timeoutMs: 300 }), never));
    expect(failure.code).toBe('command.timeout');
    expect(isAlive(Number(readFileSync(pids, 'utf8')))).toBe(false);
  });

  test('is ended with its whole group when it is called off, also where it ignores SIGTERM', async () => {
    const ready = join(scratchFolder(), 'ready');
    spawnSync('mkfifo', [ready]);
    const stop = new AbortController();
    const reason = new Error('called off');
    const running = runner.run(request(`trap "" TERM; sleep 300 & echo $! > ${ready}; wait`), stop.signal);
    const pid = Number(await readFile(ready, 'utf8'));
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(isAlive(pid)).toBe(false);
  });

  test('does not start when it was called off before', async () => {
    await expect(runner.run(request('true'), AbortSignal.abort(new Error('early')))).rejects.toThrow('early');
  });

  test('leaves nothing running when it has ended', async () => {
    const { stdout } = await runner.run(request('sleep 300 >/dev/null 2>&1 & echo $!'), never);
    expect(isAlive(Number(stdout))).toBe(false);
  });

  test('does not wait for what it left in the background, though that holds its output', async () => {
    expect((await runner.run(request('sleep 300 & echo done'), never)).stdout).toBe('done\n');
  });

  test('is ended when it puts out too much', async () => {
    const failure = await failureOf(runner.run(request('yes', { outputLimitBytes: 1000 }), never));
    expect(failure).toMatchObject({ code: 'output.too-large', details: { limitBytes: 1000 } });
  });
});

/** A process that has ended may still be waiting for its parent to notice: a zombie runs no more. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)])
    .stdout.toString()
    .trim();
  return state !== '' && !state.startsWith('Z');
}
