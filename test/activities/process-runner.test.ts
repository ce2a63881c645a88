import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { shellCommand } from '../../activities/commands/shell-template';
import type { CommandRequest } from '../../activities/ports';
import type { Template } from '../../plan/expressions/expression';
import { isRunning, isThere } from '../support/agent-programs/programs';
import { ALARMS, ring, standStill } from '../support/fake-timers';
import { until } from '../support/until';
import { codeOf, failureOf, literal, NO_SCOPE, scratchFolder } from './workshop';

const runner = new GroupProcessRunner();
const never = new AbortController().signal;

function request(shell: string, more: Partial<CommandRequest> = {}): CommandRequest {
  return { command: { shell }, env: {}, outputLimitBytes: 1_000_000, ...more };
}

describe('a command that has ended, whose lines nobody takes', () => {
  /** Waits for room that never comes, until it is cancelled. `over` is called once the process in the first line is reaped. */
  const held = (over: () => void) => (lines: readonly string[], signal: AbortSignal) => {
    void until(() => !isThere(Number(lines[0]))).then(over);
    return new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };

  it('ends when its call does', async () => {
    const call = new AbortController();
    const run = runner.run(request('echo $$; echo b', { onLines: held(() => call.abort(new Error('cancelled'))) }), call.signal);
    await expect(run).rejects.toThrow('cancelled');
  });

  it('ends when its time is up, and says what is still to be done', async () => {
    standStill(...ALARMS);
    const run = runner.run(request('echo $$', { timeoutMs: 300, onLines: held(() => jest.advanceTimersByTime(300)) }), never);
    await expect(run).rejects.toMatchObject({ code: 'command.timeout', message: expect.stringMatching(/has ended, but the items/) });
  });

  it('ends by what its lines fail of', async () => {
    const run = runner.run(request('echo a', { onLines: () => Promise.reject(new Error('bad item')) }), never);
    await expect(run).rejects.toThrow('bad item');
  });
});

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

/** One shell for all values: each one's output ends where the next begins. */
async function runForEach(template: (value: string) => Template): Promise<string[]> {
  const all = NASTY.flatMap((value, i): Template => [...(i > 0 ? [`\nprintf '\\001'\n`] : []), ...template(value)]);
  return (await runTemplate(all)).split('\u0001');
}

async function runTemplate(template: Template): Promise<string> {
  const { shell, env } = shellCommand(template, NO_SCOPE);
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
    expect(await runForEach(template)).toEqual(NASTY.map(expected));
  });

  test('is never code in a comment', async () => {
    expect(await runForEach((value) => ['printf ok # ', literal(value), '\n'])).toEqual(NASTY.map(() => 'ok'));
  });

  test('is refused in a here-document that expands nothing', async () => {
    expect(await codeOf(runTemplate(["cat <<'EOF'\n", literal('x'), '\nEOF']))).toBe('command.failed');
  });

  test('is refused if it holds a NUL character', async () => {
    expect(await codeOf(runTemplate(['echo ', literal('a\0b')]))).toBe('command.failed');
  });
});

describe('what a command has started with an environment, a session and a folder of its own', () => {
  const left = async (file: string) => (await readFile(file, 'utf8')).trim().split('\n').map(Number);
  const leaves = (file: string, then: string, first = '') =>
    `for n in 1 2; do env -i setsid sh -c '${first} cd /; exec >/dev/null 2>&1; echo $$ >> "$0"; sleep 300 & wait' ${file} & done; until [ "$(wc -l < ${file})" = 2 ]; do sleep 0.02; done 2>/dev/null; ${then}`;

  it.each<[string, Partial<CommandRequest>, string]>([
    ['is late', { timeoutMs: 1500, onOutput: () => jest.advanceTimersByTime(1500) }, 'echo begun; sleep 300'],
    ['says too much', { outputLimitBytes: 10 }, 'echo 01234567890123456789; sleep 300'],
  ])('ends with it where it %s', async (_, more, then) => {
    const file = join(scratchFolder(), 'pids');
    standStill(...ALARMS);
    await expect(runner.run(request(leaves(file, then), more), never)).rejects.toThrow();
    const pids = await left(file);
    expect([pids.length, pids.filter(isRunning)]).toEqual([2, []]);
  });

  it('ends with it, too, if it has lowered the limits that it can raise again', async () => {
    const file = join(scratchFolder(), 'pids');
    // Shells name the limit of file locks in one of two ways.
    const lowers = '{ ulimit -S -w 5 || ulimit -S -x 5; } 2>/dev/null; ulimit -S -m 5;';
    const over = new AbortController();
    const onOutput = () => over.abort(new Error('off'));
    await expect(runner.run(request(leaves(file, 'echo; sleep 300', lowers), { onOutput }), over.signal)).rejects.toThrow('off');
    const pids = await left(file);
    expect([pids.length, pids.filter(isRunning)]).toEqual([2, []]);
  });

  it('ends with it if it is called off', async () => {
    const file = join(scratchFolder(), 'pids');
    const over = new AbortController();
    const running = runner.run(request(leaves(file, 'echo; sleep 300'), { onOutput: () => over.abort(new Error('off')) }), over.signal);
    await expect(running).rejects.toThrow('off');
    const pids = await left(file);
    expect([pids.length, pids.filter(isRunning)]).toEqual([2, []]);
  });

  it('stays if the command ends by itself', async () => {
    const file = join(scratchFolder(), 'pids');
    await runner.run(request(leaves(file, 'true')), never);
    const pids = await left(file);
    expect(pids.filter(isRunning)).toEqual(pids);
    for (const pid of pids) process.kill(-pid, 'SIGKILL');
  });
});

describe('a process', () => {
  test('gets its words as they are if there is no shell', async () => {
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

  test('fails with its exit code and the ends of its stderr and its stdout, whatever the other says', async () => {
    const failure = await failureOf(runner.run(request('echo out; echo reason >&2; exit 3'), never));
    expect(failure).toMatchObject({ code: 'command.failed', details: { exitCode: 3, stderr: 'reason\n', stdout: 'out\n' } });
  });

  test('fails if its program or its folder is not there', async () => {
    expect(await codeOf(runner.run(request('', { command: { argv: ['/no/such/program'] } }), never))).toBe('command.failed');
    expect(await codeOf(runner.run(request('true', { cwd: '/no/such/folder' }), never))).toBe('command.failed');
    expect(await codeOf(runner.run(request('', { command: { argv: [] } }), never))).toBe('command.failed');
  });

  test('is ended with its whole group when its time is up', async () => {
    const ready = fifo();
    standStill(...ALARMS);
    const failed = failureOf(runner.run(request(`sleep 300 & echo $! > ${ready}; wait`, { timeoutMs: 300 }), never));
    const pid = Number(await readFile(ready, 'utf8'));
    await ring(300);
    expect((await failed).code).toBe('command.timeout');
    await gone(pid);
  });

  test('is ended with its whole group when it is cancelled, even if it ignores SIGTERM', async () => {
    const ready = fifo();
    const stop = new AbortController();
    const reason = new Error('cancelled');
    const running = runner.run(request(`trap "" TERM; sleep 300 & echo $! > ${ready}; wait`), stop.signal);
    const pid = Number(await readFile(ready, 'utf8'));
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    await gone(pid);
  });

  test('does not start when it was cancelled before', async () => {
    await expect(runner.run(request('true'), AbortSignal.abort(new Error('early')))).rejects.toThrow('early');
  });

  test('leaves nothing running when it has ended', async () => {
    const { stdout } = await runner.run(request('sleep 300 >/dev/null 2>&1 & echo $!'), never);
    await gone(Number(stdout));
  });

  test('does not wait for what it left in the background, though that holds its output', async () => {
    expect((await runner.run(request('sleep 300 & echo done'), never)).stdout).toBe('done\n');
  });

  test('is ended when its output is too large', async () => {
    const failure = await failureOf(runner.run(request('yes', { outputLimitBytes: 1000 }), never));
    expect(failure).toMatchObject({ code: 'output.too-large', details: { limitBytes: 1000 } });
  });
});

afterEach(() => jest.useRealTimers());

function fifo(): string {
  const path = join(scratchFolder(), 'fifo');
  spawnSync('mkfifo', [path]);
  return path;
}

/** Ends when its turn comes if a signal was sent; never if none was sent. */
async function gone(pid: number): Promise<void> {
  await until(() => !isRunning(pid));
}
