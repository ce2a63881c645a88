import type { AgentRequest } from '../../../activities/agent-port';
import { ThermidorFailure } from '../../../plan/run/failure';
import { isRunning } from '../../support/agent-programs/programs';
import { until } from '../../support/until';
import { AGENT, asking } from './asking';

const UP = { replies: [{ text: 'up' }] };
/** For programs that do not end by themselves. */
const HASTY = { lingerMs: 1 };

async function failureOf(work: Promise<unknown>): Promise<ThermidorFailure> {
  const error = await work.catch((failure: unknown) => failure);
  if (error instanceof ThermidorFailure) return error;
  throw new Error(`no failure of ours: ${String(error)}`);
}

describe('a program that', () => {
  test('is missing: says where it was looked for and how it is installed', async () => {
    const { ask } = asking('claude', UP, { command: ['no-such-agent-program'] });
    const failure = await failureOf(ask('Which way?'));
    expect(failure.code).toBe('adapter.unavailable');
    expect(failure.message).toMatch(/no-such-agent-program.*PATH.*npm install/);
  });

  test('ends with an error: fails with the end of its stderr', async () => {
    const { ask } = asking('claude', UP, {});
    expect((await ask('Which way?')).at(-1)?.text).toBe('up');
    const broken = asking('claude', { ...UP, faults: [{ at: 1, kind: 'exits', code: 9, message: 'the disk is full' }] });
    const failure = await failureOf(broken.ask('Which way?'));
    expect(failure).toMatchObject({ code: 'agent.failed', details: { exitCode: 9 } });
    expect(failure.message).toContain('the disk is full');
  });

  test.each(['dies', 'mute', 'tty'] as const)('ends without a reply: %s', async (kind) => {
    const { ask } = asking('codex', { ...UP, faults: [{ at: 1, kind }] });
    expect(await failureOf(ask('Which way?'))).toMatchObject({ code: 'agent.failed' });
  });

  test('replies and then ends badly: has failed, and its cost is reported', async () => {
    const { ask, transcript } = asking('codex', { ...UP, faults: [{ at: 1, kind: 'ends-badly' }] });
    expect(await failureOf(ask('Which way?'))).toMatchObject({ code: 'agent.failed', details: { exitCode: 3 } });
    expect(transcript.at(-1)).toMatchObject({ stop: 'broken', usage: { inputTokens: 10, outputTokens: 5 } });
  });

  test('replies and does not end: is ended, and has replied', async () => {
    const { ask, fake } = asking('claude', { ...UP, faults: [{ at: 1, kind: 'lingers' }] }, {}, HASTY);
    expect((await ask('Which way?')).at(-1)?.text).toBe('up');
    expect(fake.running()).toEqual([]);
  });

  test('says that nothing more comes of it and does not end: is ended, and has failed as it said', async () => {
    const text = '{"type":"system","subtype":"api_retry","error_status":401}\n';
    const { ask, fake } = asking('claude', { ...UP, faults: [{ at: 1, kind: 'silent', text }] }, {}, HASTY);
    expect(await failureOf(ask('Which way?'))).toMatchObject({ code: 'model.unauthorized' });
    expect(fake.running()).toEqual([]);
  });

  test('reads none of the settings in the folder that it works in', async () => {
    const { ask, fake } = asking('claude', UP);
    await ask('Which way?');
    const [{ argv = [] } = {}] = fake.asked();
    expect(argv[argv.indexOf('--setting-sources') + 1]).toBe('user');
  });

  test.each([
    ['The model `nope` does not exist', 'model.bad-request'],
    ['\u001b[31mno such luck\u001b[0m', 'agent.failed'],
  ])('fails with the text of its stderr, without marks for terminals: %j', async (message, code) => {
    const { ask } = asking('gemini', { ...UP, faults: [{ at: 1, kind: 'exits', message }] });
    const failure = await failureOf(ask('Which way?'));
    expect(failure.code).toBe(code);
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('\\u001b');
  });

  test('leaves a process behind that holds its output: is not waited for, and nothing of it stays', async () => {
    const { ask, fake } = asking('claude', { ...UP, faults: [{ at: 1, kind: 'leaves-child' }] });
    expect((await ask('Which way?')).at(-1)?.text).toBe('up');
    expect(fake.running()).toEqual([]);
  });

  test('says things next to its protocol: they are tolerated', async () => {
    const junk = 'npm notice\n{"half":\n17\n[]\n{"type":"unheard-of"}\n\n';
    const { ask } = asking('claude', { ...UP, faults: [{ at: 1, kind: 'junk', text: junk }] });
    expect((await ask('Which way?')).map(({ text }) => text)).toEqual(['up']);
  });

  test('prints bytes that are not UTF-8: they become U+FFFD', async () => {
    const { ask } = asking('claude', { replies: [{ text: 'a\u0000b', raw: true }] });
    expect((await ask('Which way?')).at(-1)?.text).toBe('a\uFFFDb');
  });

  test.each(['claude', undefined] as const)('puts out more than a megabyte without a line break: is ended (%s)', async (preset) => {
    const { ask, fake } = asking(preset, { ...UP, faults: [{ at: 1, kind: 'flood', bytes: 3_000_000 }] });
    expect(await failureOf(ask('Which way?'))).toMatchObject({ code: 'output.too-large' });
    expect(fake.running()).toEqual([]);
  });

  test.each(['silent', 'deaf'] as const)('says nothing (%s): its group is gone when it is cancelled', async (kind) => {
    const { ask, fake } = asking('claude', { ...UP, faults: [{ at: 1, kind }] });
    const off = new AbortController();
    const asked = ask('Which way?', {}, off.signal).catch((error: unknown) => error);
    await fake.still();
    const pids = fake.running();
    expect(pids).toHaveLength(kind === 'deaf' ? 2 : 1);
    const reason = new Error('off');
    off.abort(reason);
    expect(await asked).toBe(reason);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test('is not started if it was cancelled before', async () => {
    const { ask, fake } = asking('claude', UP);
    await expect(ask('Which way?', {}, AbortSignal.abort(new Error('early')))).rejects.toThrow('early');
    expect(fake.asked()).toEqual([]);
  });

  test('gives signs of life with each line', async () => {
    const alive = jest.fn();
    const { ask } = asking('codex', UP);
    await ask('Which way?', { alive });
    expect(alive).toHaveBeenCalledTimes(5);
  });
});

describe('what a program sees', () => {
  test('is the allowlisted environment, what is passed on, and what is set; nothing else', async () => {
    Object.assign(process.env, { THERMIDOR_TEST_SECRET: 'hush', MY_PASSED: 'passed' });
    const { ask, fake } = asking('claude', UP, { passEnv: ['MY_PASSED'], env: { MY_KEY: 'secret://env/MY_TOKEN' } });
    await ask('Which way?').finally(() => {
      delete process.env['THERMIDOR_TEST_SECRET'];
      delete process.env['MY_PASSED'];
    });
    const env = fake.asked()[0]?.env ?? {};
    expect(env).toMatchObject({ MY_KEY: 'tok-0123456789', MY_PASSED: 'passed', LC_ALL: 'C' });
    expect(env).not.toHaveProperty('THERMIDOR_TEST_SECRET');
  });

  test('is in no failure and no turn if it is secret', async () => {
    const env = { MY_KEY: 'secret://env/MY_TOKEN' };
    const broken = asking('claude', { ...UP, faults: [{ at: 1, kind: 'exits', message: 'bad key tok-0123456789' }] }, { env });
    expect(JSON.stringify(await failureOf(broken.ask('Which way?')))).not.toContain('tok-0123456789');
    const leaky = asking('claude', { replies: [{ text: 'it is tok-0123456789' }] }, { env });
    expect((await leaky.ask('Which way?')).at(-1)?.text).toBe('it is ***');
  });

  test('leaves no half of a secret if its last words are cut', async () => {
    const message = `tok-0123456789${'x'.repeat(1990)}`;
    const { ask } = asking('claude', { ...UP, faults: [{ at: 1, kind: 'exits', message }] }, { env: { MY_KEY: 'secret://env/MY_TOKEN' } });
    const { message: said, details } = await failureOf(ask('Which way?'));
    expect(JSON.stringify([said, details])).not.toContain('789x');
  });

  test('has no secret that leads nowhere', async () => {
    const { ask, fake } = asking('claude', UP, { env: { MY_KEY: 'secret://env/NO_SUCH' } });
    expect(await failureOf(ask('Which way?'))).toMatchObject({ code: 'secret.missing' });
    expect(fake.asked()).toEqual([]);
  });
});

describe('a template', () => {
  test('replies in plain text, at a cost that nobody knows', async () => {
    const { ask } = asking(undefined, { replies: [{ text: 'up\nand away' }] });
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };
    expect(await ask('Which way?')).toEqual([{ role: 'assistant', text: 'up\nand away', usage }]);
  });

  test('replies in a document, with what it used', async () => {
    const { ask } = asking(undefined, { replies: [{ text: 'up' }], costUsd: 0.25 }, { output: 'json' });
    expect(await ask('Which way?')).toMatchObject([
      { text: 'up', model: 'template-fake', usage: { inputTokens: 10, costMicroUsd: 250_000 } },
    ]);
  });

  test('gets its prompt as the last word if that is wanted, with all that was said before', async () => {
    const { ask, fake } = asking(
      undefined,
      { replies: [{ text: 'sideways' }, { text: 'upwards' }] },
      { prompt: 'argument', args: ['--argument'] },
    );
    await ask('Which way?');
    expect((await ask('Say it better.', { ask: 2 })).at(-1)?.text).toBe('upwards');
    expect(fake.asked()[1]?.argv.at(-1)).toMatch(/Which way\?[\s\S]*sideways[\s\S]*Say it better\./);
  });

  test('is not given a word that is longer than the system takes', async () => {
    const { ask, fake } = asking(undefined, UP, { prompt: 'argument' });
    expect(await failureOf(ask('x'.repeat(200_000)))).toMatchObject({ code: 'model.context-length' });
    expect(fake.asked()).toEqual([]);
  });
});

describe('a request that was interrupted', () => {
  const READER: Partial<AgentRequest> = { agent: { ...AGENT, tools: ['read_file'] } };
  const reads = { calls: [{ tool: 'Read', args: { file_path: 'notes.txt' }, result: '42' }] };

  test('goes on in its session, and pays for nothing twice', async () => {
    const play = { replies: [reads, { text: 'upwards' }] };
    const { ask, fake, transcript } = asking('claude', { ...play, faults: [{ at: 2, kind: 'silent' }] });
    const off = new AbortController();
    const asked = ask('Which way?', READER, off.signal).catch(() => undefined);
    await fake.still();
    off.abort(new Error('killed'));
    await asked;
    expect(transcript.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect((await ask(undefined, READER)).at(-1)?.text).toBe('upwards');
    expect(fake.paid()).toBe(2);
    const [first, second] = fake.asked();
    expect(second).toMatchObject({ resumed: true, session: first?.session });
    expect(second?.stdin).not.toContain('Which way?');
  });

  test('receives what was under way, which its program forgets', async () => {
    const play = { replies: [reads, { text: 'upwards' }] };
    const { ask, fake, transcript } = asking('claude', { ...play, faults: [{ at: 1, kind: 'busy' }] });
    const off = new AbortController();
    const asked = ask('Which way?', READER, off.signal).catch(() => undefined);
    await until(() => transcript.length > 1);
    off.abort(new Error('killed'));
    await asked;
    expect((await ask(undefined, READER)).at(-1)?.text).toBe('upwards');
    const [first, second] = fake.asked();
    expect(second).toMatchObject({ resumed: true, session: first?.session });
    expect(second?.stdin).toContain('- read_file: {"file_path":"notes.txt"}');
    expect(second?.stdin).not.toContain('Which way?');
  });

  test('settles calls whose result nobody knows', async () => {
    const { ask, transcript } = asking('claude', { replies: [{ text: 'upwards' }] });
    const call = { id: 'toolu_1', tool: 'read_file', args: {} };
    transcript.push({ role: 'user', text: 'Which way?' }, { role: 'assistant', text: '', calls: [call] });
    const turns = await ask(undefined, READER);
    expect(turns[0]).toMatchObject({ role: 'tool', call });
    expect(turns.at(-1)?.text).toBe('upwards');
  });

  test('is left as it is if it is answered', async () => {
    const { ask, fake, transcript } = asking('claude', UP);
    transcript.push({ role: 'user', text: 'Which way?' }, { role: 'assistant', text: 'up' });
    expect(await ask()).toEqual([]);
    expect(fake.asked()).toEqual([]);
  });
});
