import { modelAdapter } from '../../activities/adapters/model/model-adapter';
import { agent } from '../../activities/agent/agent';
import { postMessages, readExchanged } from '../../activities/agent/member-messages';
import type { BoardMessage } from '../../plan/board/message';
import type { Step } from '../../plan/steps/step';
import type { JsonObject } from '../../plan/text/json';
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

async function alice(...given: Given[]) {
  const service = fakeService(...given);
  const shop = workshop(withAgent({ ...modelAdapter(service), name: 'fake' }));
  await shop.open([part], { agents: { bull: { definition: await shop.blob({ id: 'bull', role: 'You work.', model: 'm' }) } } });
  return {
    post: (...messages: BoardMessage[]) => postMessages(shop.toolbox, KEY, { run: KEY.run, inbox: INBOX, messages }),
    work: (attempt = 1) => agent(shop.toolbox, shop.call('work#1~1', { attempt }), { run: KEY.run, member }),
    exchanges: async () => (await readExchanged(shop.toolbox, KEY, { run: KEY.run, call: 'work#1~1', after: 0 })).exchanges,
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
