import type { ActivityCall } from '../../activities/activity-call';
import { modelAdapter } from '../../activities/adapters/model/model-adapter';
import { agent } from '../../activities/agent/agent';
import { postLines, readExchanged } from '../../activities/agent/member-messages';
import type { ToolServer, ToolServers } from '../../activities/ports';
import { answersLog } from '../../plan/board/exchange';
import type { BoardMessage } from '../../plan/board/message';
import type { Step } from '../../plan/steps/step';
import type { Json, JsonObject } from '../../plan/text/json';
import { fakeService, type Given } from '../adapters/model/service';
import { KEY, withAgent, workshop } from './workshop';

/** What a member's activity records of the messages that it sends and reads, also when it is tried again. */

const part: Step = { id: 'work', kind: 'agent', agent: 'bull' };
const INBOX = 'team/work-1/inbox';
const member = {
  ...{ name: 'alice', team: 'core', inbox: INBOX, context: [], maxTurns: 50 },
  others: [{ name: 'bob', status: 'working' as const }],
};
const call = (tool: string, args: JsonObject = {}) => ({ id: tool, tool, args });

function message(n: number): BoardMessage {
  return { id: `m${n}`, type: 'message', from: 'bob', to: 'alice', content: `news ${n}`, characters: 6, at: '2026-01-01T00:00:00.000Z' };
}

const SERVER: ToolServer = {
  names: ['read'],
  tools: [{ name: 'read', description: 'reads', parameters: { type: 'object' } }],
  call: async () => ({ text: 'read' }),
  close: async () => undefined,
};
const TOOL_SERVERS: ToolServers = { names: ['fs'], open: async () => SERVER };

async function alice(...given: Given[]) {
  const service = fakeService(...given);
  const shop = workshop({ ...withAgent({ ...modelAdapter(service), name: 'fake' }), toolServers: TOOL_SERVERS });
  const definition = await shop.blob({ id: 'bull', role: 'You work.', model: 'm', tools: ['mcp__fs'] });
  await shop.open([part], { agents: { bull: { definition } } });
  const exchanges = async () => (await readExchanged(shop.toolbox, KEY, { run: KEY.run, call: 'work#1~1', after: 0 })).exchanges;
  return {
    post: (...messages: BoardMessage[]) => postLines(shop.toolbox, KEY, { run: KEY.run, log: INBOX, lines: messages }),
    work: (attempt = 1, more: Partial<ActivityCall> = {}) =>
      agent(shop.toolbox, shop.call('work#1~1', { attempt, ...more }), { run: KEY.run, member }),
    exchanges,
    ledger: shop.toolbox.ledger,
    /** As the run does when it is woken. */
    async decides(said: Json) {
      const asked = (await exchanges()).flatMap((one) => one.asked ?? []);
      await postLines(shop.toolbox, KEY, { run: KEY.run, log: answersLog(INBOX), lines: asked.map(({ id }) => ({ id, said })) });
    },
    /** How often the last request shows the text. */
    shows: (text: string) =>
      (service.requests.at(-1)?.turns ?? [])
        .map((turn) => turn.text)
        .join('\n')
        .split(text).length - 1,
  };
}

const SENDS = { calls: [call('send_message', { to: 'bob', content: 'hello' })] };

test('a message that came is shown behind the result of a call, and is read with that turn', async () => {
  const { post, work, exchanges, shows } = await alice(SENDS, { text: 'done' });
  await post(message(1));
  await expect(work()).resolves.toMatchObject({ exchanged: 2 });
  expect(shows('news 1')).toBe(1);
  expect(await exchanges()).toMatchObject([{ sent: { content: 'hello' } }, { read: ['m1'] }]);
});

test('what read_inbox has shown is read, and is not shown again', async () => {
  const { post, work, exchanges, shows } = await alice({ calls: [call('read_inbox')] }, { text: 'done' });
  await post(message(1), message(2));
  await work();
  expect(shows('news 1')).toBe(1);
  expect(await exchanges()).toEqual([{ read: ['m1', 'm2'] }]);
});

test('a message is sent, and one is read, once over a crash', async () => {
  const { post, work, exchanges, shows } = await alice(SENDS, new Error('lost'), { text: 'done' });
  await post(message(1));
  await expect(work()).rejects.toThrow('lost');
  await post(message(1));
  await expect(work(2)).resolves.toMatchObject({ exchanged: 2 });
  expect(shows('news 1')).toBe(1);
  expect(await exchanges()).toMatchObject([{ sent: { content: 'hello', from: 'alice' } }, { read: ['m1'] }]);
});

describe('a call of an agent with tool servers that asks the board', () => {
  const CREATES = { calls: [call('create_task', { subject: 'more' })] };

  test('waits for the answer while the agent is at work, and asks no longer once it has it', async () => {
    const { work, exchanges, decides, shows } = await alice(CREATES, { text: 'done' });
    await expect(work(1, { wake: () => decides({ tasks: 'none' }) })).resolves.not.toHaveProperty('paused');
    expect(shows('none')).toBe(1);
    expect(await exchanges()).toEqual([{}]);
  });

  test('pauses when no answer comes within a second, and asks under the same key', async () => {
    const { work, exchanges } = await alice(CREATES, { text: 'done' });
    const { paused, exchanged } = await work(1, { wake: async () => undefined });
    const [{ asked } = {}] = await exchanges();
    expect(asked).toMatchObject({ request: { kind: 'create_task' }, used: { inputTokens: expect.any(Number) } });
    expect(paused).toEqual({ kind: 'decision', asks: [{ id: asked?.id, agent: 'bull', request: asked?.request }] });
    expect(exchanged).toBe(1);
  });

  test('looks for it only in what was written meanwhile, however many answers there are', async () => {
    const { work, ledger } = await alice(CREATES, { text: 'done' });
    const whole = jest.spyOn(ledger, 'lines');
    await expect(work(1, { wake: async () => undefined })).resolves.toHaveProperty('paused');
    expect(whole.mock.calls.filter(([, log]) => log === answersLog(INBOX))).toEqual([]);
  });

  test('pauses at once when nobody can be woken', async () => {
    const { work } = await alice(CREATES, { text: 'done' });
    const unreachable = () => Promise.reject(new Error('no server'));
    await expect(work(1, { wake: unreachable })).resolves.toMatchObject({ paused: { kind: 'decision' } });
    await expect(work(2)).resolves.toMatchObject({ paused: { kind: 'decision' } });
  });

  test('asks anew after a crash, and takes no answer that came before', async () => {
    const { work, decides, shows } = await alice(CREATES, { text: 'done' });
    await expect(work(1, { wake: async () => undefined })).resolves.toHaveProperty('paused');
    await decides({ tasks: 'stale' });
    await work(2, { wake: () => decides({ tasks: 'fresh' }) });
    expect([shows('stale'), shows('fresh')]).toEqual([0, 1]);
  });
});
