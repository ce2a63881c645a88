import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVER_LIMITS } from '../../activities/adapters/mcp/limits';
import { codeOf, failureOf, scratchFolder } from '../activities/workshop';
import { ALARMS, ring, standStill } from '../support/fake-timers';
import { NEVER, oddServer, opened } from './servers';

afterEach(() => jest.useRealTimers());

describe('the list of tools', () => {
  it('is all that can be used, and the log says what was left out', async () => {
    const { server, logged } = await opened(oddServer('bad'));
    expect(server.tools.map(({ name }) => name)).toEqual(['fine', 'talkative']);
    expect(server.tools[0]?.description).toBe('does fine');
    expect(server.tools[1]?.description.length).toBeLessThan(5000);
    expect(logged.filter((line) => line.includes('left out'))).toHaveLength(11);
  });

  it('ends if a server turns pages for ever', async () => {
    const { server } = await opened(oddServer('endless-pages'), { pages: 7 });
    expect(server.tools).toHaveLength(7);
  });

  it('is at most so long', async () => {
    const { server } = await opened(oddServer('endless-pages'), { tools: 3 });
    expect(server.tools).toHaveLength(3);
  });

  it('has what is wanted of it, however much comes before that; of the others only the names', async () => {
    const { server, logged } = await opened(oddServer('endless-pages'), { tools: 3, pages: 7 }, { only: ['t6', 't9'] });
    expect(server.tools.map(({ name }) => name)).toEqual(['t6']);
    expect(server.names).toEqual(['t1', 't2', 't3', 't4', 't5', 't6', 't7']);
    expect(logged).toEqual([expect.stringContaining('more than 7 pages')]);
  });

  it('that is none fails the server', async () => {
    await expect(codeOf(opened(oddServer('no-list')))).resolves.toBe('tool.failed');
  });
});

describe('a server that cannot be used', () => {
  it.each([
    ['a program that is not there', { kind: 'stdio', command: ['no-such-program-here'] } as const, /127/],
    ['a program that ends at once', { kind: 'stdio', command: ['sh', '-c', 'echo why >&2; exit 4'] } as const, /4: why/],
    ['a version that nobody knows', oddServer('old'), /1999-01-01/],
  ])('fails with its reason: %s', async (_, spec, reason) => {
    const failure = await failureOf(opened(spec));
    expect(failure).toMatchObject({ code: 'tool.failed', details: { server: 'odd' } });
    expect(failure.message).toMatch(reason);
  });

  it('is given up when it says nothing', async () => {
    await expect(codeOf(opened(oddServer('mute'), { startMs: 300 }))).resolves.toBe('tool.failed');
  });

  it('fails with `secret.missing` if a secret leads nowhere', async () => {
    const spec = { ...oddServer(), env: { TOKEN: 'secret://env/NOT_THERE' } };
    await expect(codeOf(opened(spec))).resolves.toBe('secret.missing');
  });
});

describe('a call', () => {
  it('gives what the server says', async () => {
    const { server } = await opened(oddServer());
    await expect(server.call('echo', { text: 'hello' }, NEVER)).resolves.toEqual({ text: 'hello' });
  });

  it('says the kind and size of what is not text', async () => {
    const { server } = await opened(oddServer());
    const { text } = await server.call('blocks', {}, NEVER);
    expect(text.split('\n')).toEqual([
      'one',
      expect.stringContaining('image/png, 300 bytes'),
      expect.stringContaining('audio/wav, 3 bytes'),
      expect.stringContaining('file:///r'),
      expect.stringContaining('text/plain, 6 bytes'),
      expect.stringContaining('hologram'),
      '{"also":[1]}',
    ]);
  });

  it('does not repeat structured content that the text says already', async () => {
    const { server } = await opened(oddServer());
    await expect(server.call('keeps_promise', {}, NEVER)).resolves.toEqual({ text: '{ "n": 1 }' });
  });

  it('is cut at its size, and says so', async () => {
    const { server } = await opened(oddServer(), { resultCharacters: 1000 });
    const { text } = await server.call('large', {}, NEVER);
    expect(text.length).toBeLessThan(1200);
    expect(text).toContain('first 1000 of 100000');
  });

  it.each(['failing', 'rpc_error'])('has failed if the server says that it could not: %s', async (tool) => {
    const { server } = await opened(oddServer());
    await expect(server.call(tool, {}, NEVER)).resolves.toMatchObject({ failed: true });
  });

  it('shows no half of a secret if its refusal is cut', async () => {
    const secret = 'hush-hush-hush-hush';
    const spec = { ...oddServer(), env: { TOKEN: 'secret://env/TOKEN' } };
    const { server } = await opened(spec, { resultCharacters: 30 }, { env: { PATH: process.env['PATH'], TOKEN: secret } });
    const { text } = await server.call('rpc_error', { text: secret }, NEVER);
    expect(text).not.toContain('hush');
  });

  it.each(['nothing', 'breaks_promise'])('fails if the server does not return what it promised: %s', async (tool) => {
    const { server } = await opened(oddServer());
    await expect(codeOf(server.call(tool, {}, NEVER))).resolves.toBe('tool.failed');
    await expect(server.call('echo', { text: 'still here' }, NEVER)).resolves.toEqual({ text: 'still here' });
  });

  it('reads past lines that are not messages', async () => {
    const { server, logged } = await opened(oddServer());
    await expect(server.call('garbage', {}, NEVER)).resolves.toEqual({ text: 'after the garbage' });
    expect(logged.length).toBeGreaterThan(0);
  });

  it.each(['silent', 'other_id'])('fails when its time is over, and the server goes on: %s', async (tool) => {
    const { server, logged } = await opened(oddServer());
    standStill(...ALARMS);
    const called = codeOf(server.call(tool, {}, NEVER));
    while (tool === 'other_id' && logged.length === 0) await new Promise(setImmediate);
    await ring(SERVER_LIMITS.silentMs);
    await expect(called).resolves.toBe('tool.failed');
    jest.useRealTimers();
    await expect(server.call('echo', { text: 'still here' }, NEVER)).resolves.toEqual({ text: 'still here' });
  });

  it.each([
    ['a line that never ends', 'endless_line', { messageBytes: 1 << 20 }],
    ['nothing but nonsense', 'many_lines', {}],
  ])('fails where the server puts out %s', async (_, tool, limits) => {
    const { server } = await opened(oddServer(), limits);
    await expect(codeOf(server.call(tool, {}, NEVER))).resolves.toBe('tool.failed');
    await expect(server.call('echo', { text: 'again' }, NEVER)).resolves.toEqual({ text: 'again' });
  });

  it('of a tool that was not listed is not made', async () => {
    const { server } = await opened(oddServer());
    await expect(codeOf(server.call('rm_rf', {}, NEVER))).resolves.toBe('tool.failed');
  });

  it('ends with the signal', async () => {
    const { server } = await opened(oddServer());
    const control = new AbortController();
    const reason = new Error('cancelled');
    const called = server.call('silent', {}, control.signal);
    control.abort(reason);
    await expect(called).rejects.toBe(reason);
  });

  it('is not asked for anything in return: sampling, elicitation and roots are refused', async () => {
    const { server } = await opened(oddServer());
    await expect(server.call('asks', {}, NEVER)).resolves.toEqual({ text: '-32601 -32601 -32601' });
  });
});

describe('a server that dies in the middle of a call', () => {
  it('is reported with its last words, and started again by the next call', async () => {
    const { server } = await opened(oddServer());
    const failure = await failureOf(server.call('die', {}, NEVER));
    expect(failure.code).toBe('tool.failed');
    expect(failure.message).toMatch(/exit code 3: about to die/);
    await expect(server.call('echo', { text: 'back' }, NEVER)).resolves.toEqual({ text: 'back' });
  });

  it('is started again only so often', async () => {
    const { server } = await opened(oddServer(), { restarts: 1 });
    for (const tool of ['die', 'die']) await expect(codeOf(server.call(tool, {}, NEVER))).resolves.toBe('tool.failed');
    const failure = await failureOf(server.call('echo', { text: 'x' }, NEVER));
    expect(failure.message).toMatch(/not started again/);
  });
});

describe('what a server sees', () => {
  it('is the allowlist, what the settings pass on and set, and the folder of the step', async () => {
    const env = { PATH: process.env['PATH'], ANTHROPIC_API_KEY: 'sk-not-for-you', PASSED: 'on', SECRET: 'hush-hush' };
    const { server, cwd } = await opened(
      { ...oddServer(), env: { TOKEN: 'secret://env/SECRET', A: 'b' }, passEnv: ['PASSED', 'ABSENT'] },
      {},
      { env },
    );
    const { text } = await server.call('env', {}, NEVER);
    const seen = JSON.parse(text) as { env: Record<string, string>; cwd: string };
    expect(seen.env).toMatchObject({ A: 'b', PASSED: 'on' });
    expect(Object.keys(seen.env)).not.toContain('ANTHROPIC_API_KEY');
    expect(realpathSync(seen.cwd)).toBe(realpathSync(cwd));
    // The server has the secret, and its answer about the secret is masked.
    expect(seen.env['TOKEN']).toBe('***');
  });
});

describe('closing', () => {
  it.each(['stays', 'parts'])('ends a server that heeds nothing, with what it started: %s', async (mode) => {
    const fifo = join(scratchFolder(), 'fifo');
    spawnSync('mkfifo', [fifo]);
    const [held, { server }] = await Promise.all([open(fifo, 'r'), opened(oddServer(mode, fifo))]);
    await server.call('echo', { text: 'x' }, NEVER);
    await server.close();
    // Both hold the fifo open: the read ends when the last of them is gone.
    await expect(held.readFile('utf8')).resolves.toBe('');
    await held.close();
  });

  it('ends one that is cancelled while it starts', async () => {
    const control = new AbortController();
    const reason = new Error('cancelled');
    const opening = opened(oddServer('mute'), {}, { signal: control.signal });
    setImmediate(() => control.abort(reason));
    await expect(opening).rejects.toBe(reason);
  });
});
