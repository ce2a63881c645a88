import { CLI_PRESETS, type CliPreset } from '../../../plan/agents/adapter';
import type { Turn } from '../../../records/transcripts/turn';
import type { ProgramReply } from '../../support/agent-programs/programs';
import { AGENT, asking } from './asking';

/** Each program's own tool for reading, and our name for it. */
const READS: Readonly<Record<CliPreset, { tool: string; args: Record<string, string>; ours: string }>> = {
  claude: { tool: 'Read', args: { file_path: 'notes.txt' }, ours: 'read_file' },
  codex: { tool: 'command_execution', args: { command: 'cat notes.txt' }, ours: 'run' },
  gemini: { tool: 'read_file', args: { file_path: 'notes.txt' }, ours: 'read_file' },
  openclaw: { tool: 'read', args: {}, ours: 'read_file' },
};
const READER = { agent: { ...AGENT, tools: ['read_file'] } };

const said = (turns: readonly Turn[]) =>
  turns.map(({ role, text, calls, call, stop }) => [role, text, calls?.[0]?.tool ?? call?.tool, stop]);

describe.each(CLI_PRESETS)('the program %s', (preset) => {
  const reads = (result: string): ProgramReply => ({ text: 'I look first.', calls: [{ ...READS[preset], result }] });
  const tells = preset !== 'openclaw';

  test('gets the prompt and who the agent is, and its reply is the last turn', async () => {
    const { ask, fake, cwd } = asking(preset, { replies: [{ text: 'up', usage: { inputTokens: 7, outputTokens: 3 } }] });
    const turns = await ask('Which way?');
    expect(said(turns)).toEqual([['assistant', 'up', undefined, undefined]]);
    expect(turns[0]?.usage).toMatchObject({ inputTokens: 7, outputTokens: 3, costMicroUsd: null });
    const [start] = fake.asked();
    const told = [...(start?.argv ?? []), start?.stdin].join('\n');
    expect(told).toContain('Which way?');
    expect(told).toContain(AGENT.role);
    expect(start).toMatchObject({ cwd, tty: false, resumed: false });
  });

  test('tells of the tools it uses, each call before its result', async () => {
    const { ask } = asking(preset, { replies: [reads('42'), { text: 'up' }] });
    const turns = await ask('Which way?', READER);
    const { ours } = READS[preset];
    expect(said(turns)).toEqual([
      ['assistant', tells ? 'I look first.' : '', ours, undefined],
      ['tool', tells ? '42' : expect.any(String), ours, undefined],
      ['assistant', 'up', undefined, undefined],
    ]);
    expect(turns[1]?.call?.id).toBe(turns[0]?.calls?.[0]?.id);
  });

  test('counts what it used once, however it tells it', async () => {
    const used = { inputTokens: 10, outputTokens: 5, cacheRead: 4 };
    const { ask } = asking(preset, {
      replies: [
        { ...reads('42'), usage: used },
        { text: 'up', usage: used },
      ],
    });
    const turns = await ask('Which way?', READER);
    const sum = (name: 'inputTokens' | 'outputTokens' | 'cacheReadTokens') =>
      turns.reduce((all, { usage }) => all + (usage?.[name] ?? 0), 0);
    expect([sum('inputTokens'), sum('outputTokens'), sum('cacheReadTokens')]).toEqual([20, 10, 8]);
  });

  test('is asked again in the same session', async () => {
    const { ask, fake } = asking(preset, { replies: [{ text: 'sideways' }, { text: 'upwards' }] });
    await ask('Which way?');
    expect((await ask('Say it again, better.', { ask: 2 })).at(-1)?.text).toBe('upwards');
    const [first, second] = fake.asked();
    expect(second).toMatchObject({ session: first?.session, resumed: true });
    const told = [...(second?.argv ?? []), second?.stdin].join('\n');
    expect(told).toContain('Say it again, better.');
    expect(told).not.toContain('Which way?');
  });

  test('goes on from what other steps have said, and leaves their session as it is for others who do', async () => {
    const { ask, fake, transcript } = asking(preset, { replies: [{ text: 'sideways' }, { text: 'upwards' }, { text: 'onwards' }] });
    await ask('Which way?');
    const earlier = [...transcript];
    for (const idempotencyKey of ['demo/run/first#1~1/1', 'demo/run/second#1~1/1']) {
      transcript.splice(0, transcript.length, ...earlier);
      expect((await ask('The next task.', { idempotencyKey, earlier: earlier.length })).at(-1)?.text).toBe('upwards');
      expect((await ask('Better.', { ask: 2, earlier: earlier.length })).at(-1)?.text).toBe('onwards');
    }
    const sessions = fake.asked().map(({ session }) => session);
    expect([sessions[1], sessions[3]]).toEqual([sessions[2], sessions[4]]);
    expect(new Set(sessions).size).toBe(3);
    expect(fake.asked()[3]?.resumed).toBe(preset === 'claude');
  });

  test('counts what it used once, even if its session goes on counting', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, cacheRead: 4 };
    const { ask, transcript } = asking(preset, {
      replies: [
        { text: 'sideways', usage },
        { text: 'upwards', usage },
        { text: 'onwards', usage },
      ],
    });
    await ask('Which way?');
    await ask('Say it better.', { ask: 2 });
    await ask('And again.', { ask: 3 });
    const counts = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4 };
    expect(transcript.flatMap(({ usage: used }) => used ?? [])).toMatchObject([counts, counts, counts]);
  });

  test('receives the whole conversation if it does not know the session', async () => {
    const { ask, fake, transcript } = asking(preset, { replies: [{ text: 'sideways' }, { text: 'upwards' }] });
    await ask('Which way?');
    fake.forget();
    // A program that makes a session when it knows none must not be asked on another host.
    if (!tells) transcript.splice(1, 1, { ...transcript[1]!, message: { program: preset, session: 'known', host: 'elsewhere' } });
    expect((await ask('Say it again, better.', { ask: 2 })).at(-1)?.text).toBe('upwards');
    expect(fake.paid()).toBe(2);
    const last = fake.asked().at(-1);
    const told = [...(last?.argv ?? []), last?.stdin].join('\n');
    for (const text of ['Which way?', 'sideways', 'Say it again, better.']) expect(told).toContain(text);
  });

  test('says that the service is overloaded, and when it may be tried again', async () => {
    const { ask } = asking(preset, { replies: [], faults: [{ at: 1, kind: 'overloaded', retryAfterMs: 30_000 }] });
    const askedAtMs = Date.now();
    const failure = await ask('Which way?').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'model.overloaded' });
    const { retryAfterMs } = failure as { retryAfterMs: number };
    expect(retryAfterMs).toBeLessThanOrEqual(30_000);
    // The time that a program names by its own clock may be over by now.
    expect(retryAfterMs).toBeGreaterThanOrEqual(30_000 - (Date.now() - askedAtMs));
  });

  test.each([
    ['unauthorized', 'model.unauthorized'],
    ['context', 'model.context-length'],
    ['refused', 'model.refused'],
    ['error', 'agent.failed'],
  ] as const)('fails as it says: %s', async (kind, code) => {
    const { ask } = asking(preset, { replies: [], faults: [{ at: 1, kind }] });
    await expect(ask('Which way?')).rejects.toMatchObject({ code });
  });
});

// Other programs report a call when they are done with the one before.
test.each(['claude', 'gemini'] as const)('%s has used one turn where a reply calls several tools at once', async (preset) => {
  const call = READS[preset];
  const { ask } = asking(preset, { replies: [{ calls: [call, call, call] }, { text: 'up' }] });
  const agent = { ...READER.agent, limits: { turns: 2 } };
  expect((await ask('Which way?', { agent })).at(-1)?.text).toBe('up');
});
