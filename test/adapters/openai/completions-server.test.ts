import type { Json, JsonObject } from '../../../plan/text/json';
import { KEY } from '../../support/completions-server/dialect';
import { call, say } from '../../support/completions-server/served';
import { startCompletionsServer } from '../../support/completions-server/server';
import { withServerProcess } from '../../support/model-server/as-process';
import type { ModelServer } from '../../support/model-server/server';

/** The fixture itself: what it accepts, refuses and counts. */
let server: ModelServer;
beforeEach(async () => {
  server = await startCompletionsServer([say('42'), call(['read_file', { path: 'a' }])]);
});
afterEach(() => server.close());

const GOOD: JsonObject = { model: 'm', stream: true, messages: [{ role: 'user', content: 'q' }] };
const said = (...messages: Json[]): JsonObject => ({ ...GOOD, messages: [{ role: 'user', content: 'q' }, ...messages] });
const made = (id: string, args = '{}'): JsonObject => ({ id, type: 'function', function: { name: 'read_file', arguments: args } });
const calls = (...tool_calls: JsonObject[]): JsonObject => ({ role: 'assistant', content: null, tool_calls });
const result = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'r' });
const tool = (parameters: Json): JsonObject => ({ type: 'function', function: { name: 't', parameters } });
const format = (schema: Json, strict = false): JsonObject => ({ type: 'json_schema', json_schema: { name: 'a', schema, strict } });

async function post(body: JsonObject, headers: Record<string, string> = {}, url = server.url): Promise<Response> {
  const all = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers };
  return await fetch(`${url}/chat/completions`, { method: 'POST', headers: all, body: JSON.stringify(body) });
}

test('takes what is good, streams it to its end, and counts what is paid for', async () => {
  expect(await (await post(GOOD)).text()).toMatch(/\[DONE\]\n\n$/);
  const parallel = said(calls(made('a'), made('b')), result('b'), result('a'), { role: 'user', content: 'more' });
  const key = { 'idempotency-key': 'daily/run/price#1~1/1/1' };
  expect((await post({ ...parallel, tools: [tool({ type: 'object' })] }, key)).status).toBe(200);
  expect(server.paid()).toBe(2);
  expect(server.problems).toEqual([]);
});

test('tells what was used at the end, and only if it is asked to', async () => {
  expect(await (await post(GOOD)).text()).not.toContain('"usage"');
  expect(await (await post({ ...GOOD, stream_options: { include_usage: true } })).text()).toContain('"choices":[],"usage"');
});

test.each<[string, JsonObject]>([
  ['no model', { ...GOOD, model: '' }],
  ['no messages', { ...GOOD, messages: [] }],
  ['a parameter that there is not', { ...GOOD, thinking: true }],
  ['two limits', { ...GOOD, max_tokens: 1, max_completion_tokens: 1 }],
  ['a limit of nothing', { ...GOOD, max_tokens: 0 }],
  ['another wish for the stream', { ...GOOD, stream_options: { usage: true } }],
  ['a role that there is not', said({ role: 'model', content: 'a' })],
  ['a field of a message that there is not', said({ role: 'assistant', content: 'a', stop: 'cut' })],
  ['an assistant who says nothing', said({ role: 'assistant', content: null })],
  ['a system’s message that is late', said({ role: 'system', content: 's' })],
  ['a call without a result', said(calls(made('a')))],
  ['a result that is late', said(calls(made('a')), { role: 'user', content: 'u' }, result('a'))],
  ['a result of no call', said(result('a'))],
  ['an id that comes twice', said(calls(made('a')), result('a'), calls(made('a')), result('a'))],
  ['arguments that are no object', said(calls(made('a', '[1]')), result('a'))],
  ['a tool whose schema is none', { ...GOOD, tools: [tool({ type: 'text' })] }],
  ['a tool without a schema', { ...GOOD, tools: [{ type: 'function', function: { name: 't' } }] }],
  ['a strict schema that is open', { ...GOOD, response_format: format({ type: 'object', properties: { a: { type: 'string' } } }, true) }],
])('refuses and notes %s', async (_what, body) => {
  expect((await post(body)).status).toBe(400);
  expect(server.problems).not.toEqual([]);
  expect(server.paid()).toBe(0);
});

test('refuses a wrong key', async () => {
  expect((await post(GOOD, { authorization: 'Bearer other' })).status).toBe(401);
  expect(server.requests).toEqual([]);
});

test('notes a request that does not begin as the one before it in its conversation', async () => {
  const key = (turn: number) => ({ 'idempotency-key': `daily/run/price#1~1/1/${turn}` });
  await post(GOOD, key(1));
  await post(said({ role: 'assistant', content: 'a' }, { role: 'user', content: 'b' }), key(3));
  expect(server.problems).toEqual([]);
  await post({ ...GOOD, messages: [{ role: 'user', content: 'other' }] }, key(5));
  expect(server.problems).toHaveLength(1);
});

test('runs as a process of its own, with a script', async () => {
  const spec = { dialect: 'completions', pipeline: 'pipelines/daily-quant-pipeline.yaml', script: 'daily-quant' };
  await withServerProcess(spec, async (url) => {
    const text = await (await post(GOOD, { 'idempotency-key': 'daily/run/data_analysis#1~1/1/1' }, url)).text();
    expect(text).toContain('delta');
    expect(await (await fetch(`${new URL(url).origin}/report`)).json()).toEqual({ requests: 1, paid: 1, problems: [] });
  });
});
