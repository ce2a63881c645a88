import { ScriptedAdapter } from '../../activities/adapters/scripted';
import type { AgentRequest } from '../../activities/agent-port';
import type { ScriptedReply } from '../../plan/agents/script';
import type { Turn } from '../../records/transcripts/turn';
import { failureOf } from './workshop';

const never = new AbortController().signal;

function request(replies: ScriptedReply[], more: { round?: number; try?: number; ask?: number } = {}): AgentRequest {
  return {
    idempotencyKey: 'k',
    stepId: 'bull',
    address: { path: [{ id: 'bull' }], round: more.round ?? 1, try: more.try ?? 1 },
    ask: more.ask ?? 1,
    agent: { id: 'bull', role: 'r' },
    system: 's',
    cwd: '',
    prompt: 'p',
    transcript: () => [],
    script: { name: 'demo', replies: { bull: replies }, people: [] },
  };
}

async function turnsOf(asked: AgentRequest, signal = never): Promise<Turn[]> {
  const turns: Turn[] = [];
  for await (const turn of new ScriptedAdapter().run(asked, signal)) turns.push(turn);
  return turns;
}

const text = (said: string): ScriptedReply['reply'] => ({ kind: 'text', text: said });

describe('the scripted adapter', () => {
  const replies: ScriptedReply[] = [
    { round: 2, ask: 2, reply: text('second round, repaired') },
    { round: 2, reply: text('second round') },
    { try: 2, reply: text('second try') },
    { reply: { kind: 'json', value: { any: true } } },
  ];

  test.each([
    [{}, '{\n  "any": true\n}'],
    [{ round: 2 }, 'second round'],
    [{ round: 2, ask: 2 }, 'second round, repaired'],
    [{ round: 2, try: 2 }, 'second round'],
    [{ try: 2 }, 'second try'],
  ])('gives the first entry that fits: %j', async (where, said) => {
    expect((await turnsOf(request(replies, where))).map((turn) => turn.text)).toEqual([said]);
  });

  test('gives an entry with texts only if the prompt has all of them', async () => {
    const entries: ScriptedReply[] = [
      { prompt: ['task a', 'attempt 2'], reply: text('a again') },
      { prompt: ['task a'], reply: text('a') },
      { reply: text('other') },
    ];
    const prompts = ['task a, attempt 1', 'task a, attempt 2', 'task b, attempt 2'];
    const said = await Promise.all(prompts.map((prompt) => turnsOf({ ...request(entries), prompt })));
    expect(said.map(([turn]) => turn?.text)).toEqual(['a', 'a again', 'other']);
  });

  test('says which step, round and try the script has no reply for', async () => {
    const failure = await failureOf(turnsOf(request([{ round: 1, reply: text('x') }], { round: 3, try: 2 })));
    expect(failure).toMatchObject({ code: 'script.no-reply', details: { script: 'demo', step: 'bull', round: 3, try: 2, ask: 1 } });
  });

  test.each([
    [[7], 'step "bull", iteration 7, round 1, try 1'],
    [[0, 7], 'step "bull", iteration [0, 7], round 1, try 1'],
  ])('names the iterations as a script does: %j', async (iterations, said) => {
    const failure = await failureOf(turnsOf({ ...request([]), iterations }));
    expect(failure).toMatchObject({ message: expect.stringContaining(said), details: { iteration: iterations } });
  });

  test('fails as the script says', async () => {
    const fail: ScriptedReply = { reply: { kind: 'fail', code: 'model.overloaded', message: '529', retryAfterMs: 2000 } };
    expect(await failureOf(turnsOf(request([fail])))).toMatchObject({ code: 'model.overloaded', message: '529', retryAfterMs: 2000 });
  });

  test('reports an unknown cost as unknown', async () => {
    const [turn] = await turnsOf(request([{ reply: text('x'), usage: { inputTokens: 7 } }]));
    expect(turn?.usage).toEqual({ inputTokens: 7, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null });
  });

  test('waits before a call once: not again when the call is made again for its decision', async () => {
    const slept: number[] = [];
    const pace = { sleep: async (ms: number) => void slept.push(ms), forever: () => Promise.reject(new Error('never')) };
    const said: Turn[] = [];
    const entry: ScriptedReply = { calls: [{ tool: 'complete_task', args: { task_id: 1 }, afterMs: 40_000 }], reply: text('done') };
    const made: string[] = [];
    const perform = async (pauses: boolean) => {
      const call = async ({ id }: { id: string }) => {
        made.push(id);
        if (pauses) throw new Error('it waits for a decision');
        said.push({ role: 'tool', text: 'ok', call: { id, tool: 'complete_task', args: {} } });
        return 'ok';
      };
      const asked = { ...request([entry]), transcript: () => said, tools: { call } as unknown as NonNullable<AgentRequest['tools']> };
      for await (const turn of new ScriptedAdapter(pace).run(asked, never)) said.push(turn);
    };
    await expect(perform(true)).rejects.toThrow('it waits for a decision');
    await perform(false);
    expect(made).toEqual(['call-1', 'call-1']);
    expect(slept).toEqual([40_000]);
    expect(said.map((turn) => turn.text)).toEqual(['', 'ok', 'done']);
  });

  test.each<[string, ScriptedReply]>([
    ['hangs', { reply: { kind: 'hang' } }],
    ['waits', { afterMs: 3_600_000, reply: text('late') }],
  ])('ends when it is cancelled while it %s', async (_, entry) => {
    const stop = new AbortController();
    const turns = turnsOf(request([entry]), stop.signal);
    stop.abort(new Error('cancelled'));
    await expect(turns).rejects.toBeDefined();
  });
});
