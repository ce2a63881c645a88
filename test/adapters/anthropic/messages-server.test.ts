import type { Script } from '../../../plan/agents/script';
import type { Json, JsonObject } from '../../../plan/text/json';
import { KEY } from '../../support/messages-server/dialect';
import { call, say } from '../../support/messages-server/served';
import { startMessagesServer } from '../../support/messages-server/server';
import { withServerProcess } from '../../support/model-server/as-process';
import { scriptedReplyFor } from '../../support/model-server/from-script';
import type { ModelServer } from '../../support/model-server/server';

/** The fixture itself: what it accepts, refuses and counts. */
let server: ModelServer;
beforeEach(async () => {
  server = await startMessagesServer([call(['read_file', { path: 'a' }]), say('42')]);
});
afterEach(() => server.close());

const GOOD: JsonObject = { model: 'm', max_tokens: 10, stream: true, messages: [{ role: 'user', content: 'q' }] };
const USE = { type: 'tool_use', id: 'c', name: 'read_file', input: {} };
const RESULT = { type: 'tool_result', tool_use_id: 'c', content: 'r' };
const said = (...messages: Json[]) => ({ ...GOOD, messages: [{ role: 'user', content: 'q' }, ...messages] });
const marked = { type: 'text', text: 't', cache_control: { type: 'ephemeral' } };

async function post(body: JsonObject, headers: Record<string, string> = {}, url = server.url): Promise<Response> {
  const all = { 'x-api-key': KEY, 'anthropic-version': '2023-06-01', 'content-type': 'application/json', ...headers };
  return await fetch(`${url}/v1/messages`, { method: 'POST', headers: all, body: JSON.stringify(body) });
}

test('streams the events as the documentation has them, and counts what is paid for', async () => {
  const text = await (await post(GOOD)).text();
  const events = [...text.matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
  expect([...new Set(events)]).toEqual([
    'message_start',
    'ping',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect(server.paid()).toBe(1);
  expect(server.problems).toEqual([]);
});

test.each<[string, JsonObject]>([
  ['no model', { ...GOOD, model: null }],
  ['no max_tokens', { ...GOOD, max_tokens: 0 }],
  ['no messages', { ...GOOD, messages: [] }],
  ['an assistant first', { ...GOOD, messages: [{ role: 'assistant', content: 'a' }] }],
  ['two of one role', said({ role: 'user', content: 'again' })],
  ['a call without a result', said({ role: 'assistant', content: [USE] })],
  [
    'a result that is late',
    said(
      { role: 'assistant', content: [USE] },
      { role: 'user', content: 'wait' },
      { role: 'assistant', content: 'a' },
      { role: 'user', content: [RESULT] },
    ),
  ],
  ['a result behind text', said({ role: 'assistant', content: [USE] }, { role: 'user', content: [{ type: 'text', text: 't' }, RESULT] })],
  ['a result of no call', said({ role: 'assistant', content: 'a' }, { role: 'user', content: [RESULT] })],
  ['an id that comes twice', said({ role: 'assistant', content: [USE, USE] }, { role: 'user', content: [RESULT, RESULT] })],
  ['blank text', said({ role: 'assistant', content: [{ type: 'text', text: ' ' }] })],
  ['thinking that is not its own', said({ role: 'assistant', content: [{ type: 'thinking', thinking: 't', signature: 's' }] })],
  ['five marks', said({ role: 'assistant', content: Array(5).fill(marked) })],
  ['a tool without a schema', { ...GOOD, tools: [{ name: 't' }] }],
  [
    'a schema with limits',
    {
      ...GOOD,
      output_config: { format: { type: 'json_schema', schema: { type: 'object', additionalProperties: false, minProperties: 1 } } },
    },
  ],
  ['an open schema', { ...GOOD, output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }],
  ['a parameter that there is not', { ...GOOD, maxTokens: 10 }],
  ['a parameter that there is no more', { ...GOOD, temperature: 1 }],
  ['a blank system', { ...GOOD, system: [{ type: 'text', text: ' ' }] }],
  ['a block of a kind that there is not', said({ role: 'assistant', content: [{ type: 'reasoning', text: 'a' }] })],
  ['a field of a block that there is not', said({ role: 'assistant', content: [{ type: 'text', text: 'a', refused: true }] })],
  ['a mark of another kind', said({ role: 'assistant', content: [{ ...marked, cache_control: { type: 'for ever' } }] })],
  ['a call by the user', { ...GOOD, messages: [{ role: 'user', content: [USE] }] }],
  ['a result by the assistant', said({ role: 'assistant', content: [{ ...RESULT }] })],
  ['a name that no tool can have', said({ role: 'assistant', content: [{ ...USE, name: 'a b' }] }, { role: 'user', content: [RESULT] })],
  ['an end in blanks', said({ role: 'assistant', content: 'half ' })],
  [
    'a schema of a tool that is none',
    { ...GOOD, tools: [{ name: 't', input_schema: { type: 'object', properties: { a: { type: 'text' } } } }] },
  ],
  ['a choice of schemas for a tool', { ...GOOD, tools: [{ name: 't', input_schema: { type: 'object', oneOf: [{}] } }] }],
  ['a field of a tool that there is not', { ...GOOD, tools: [{ name: 't', input_schema: { type: 'object' }, parameters: {} }] }],
  ['a form of thinking that there is not', { ...GOOD, thinking: { type: 'adaptive', budget_tokens: 2000 } }],
  ['more thinking than reply', { ...GOOD, thinking: { type: 'enabled', budget_tokens: 2000 } }],
])('refuses and notes %s', async (_what, body) => {
  expect((await post(body)).status).toBe(400);
  expect(server.problems).not.toEqual([]);
  expect(server.paid()).toBe(0);
});

test('refuses a wrong key and a missing version', async () => {
  expect((await post(GOOD, { 'x-api-key': 'other' })).status).toBe(401);
  expect((await post(GOOD, { 'x-api-key': '', authorization: `Bearer ${KEY}` })).status).toBe(200);
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(GOOD) });
  expect(response.status).toBe(400);
});

test('notes a request that does not begin as the one before it in its conversation', async () => {
  const key = (turn: number) => ({ 'idempotency-key': `daily/run/price#1~1/1/${turn}` });
  await post(GOOD, key(1));
  await post(said({ role: 'assistant', content: 'a' }, { role: 'user', content: 'b' }), key(3));
  expect(server.problems).toEqual([]);
  await post({ ...GOOD, system: [{ type: 'text', text: 'other' }] }, key(5));
  expect(server.problems).toHaveLength(1);
});

test('finds the reply of a script by the step, round, try, request and item in the key', () => {
  const reply = (text: string, at: object = {}) => ({ ...at, reply: { kind: 'text', text } as const });
  const script: Script = {
    name: 's',
    people: [],
    replies: {
      price: [reply('repaired', { ask: 2 }), reply('of the third item', { iteration: [2] }), reply('first')],
      'review.critic': [reply('pass')],
    },
  };
  const found = (key: string) => scriptedReplyFor(script, key)?.reply;
  expect(found('daily/run/price#1~1/1/1')).toMatchObject({ text: 'first' });
  expect(found('daily/run/price#1~1/2/3')).toMatchObject({ text: 'repaired' });
  expect(found('daily/run/each[2]/price#1~1/1/1')).toMatchObject({ text: 'of the third item' });
  expect(found('daily/run/review#2~1/1/1')).toMatchObject({ text: 'pass' });
  expect(found('daily/run/other#1~1/1/1')).toBeUndefined();
});

test('runs as a process of its own, with a script', async () => {
  const spec = { dialect: 'messages', pipeline: 'pipelines/daily-quant-pipeline.yaml', script: 'daily-quant' };
  await withServerProcess(spec, async (url) => {
    const text = await (await post(GOOD, { 'idempotency-key': 'daily/run/data_analysis#1~1/1/1' }, url)).text();
    expect(text).toContain('text_delta');
    expect(await (await fetch(`${url}/report`)).json()).toEqual({ requests: 1, paid: 1, problems: [] });
  });
});
