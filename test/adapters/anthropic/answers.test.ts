import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { REPLY_CHARACTERS } from '../../../activities/adapters/model/reply-size';
import { KEY } from '../../support/messages-server/dialect';
import { type MessagesReply, say } from '../../support/messages-server/served';
import { fail, type Served } from '../../support/model-server/served';
import { asked } from '../model/request';
import { run } from '../model/run';
import { adapterFor, closeServers, failureOf, local } from './local';

/** Answers that are not the stream of a reply, and addresses where nobody answers. */
afterEach(closeServers);

describe('an address where no API is', () => {
  test.each([
    ['HTML', 200, { 'content-type': 'text/html' }, '<!doctype html><title>Welcome</title>', 'model.bad-request', 'HTML'],
    ['HTML of a proxy', 502, { 'content-type': 'text/html' }, '<html>Bad Gateway</html>', 'model.api-error', '502'],
    ['HTML that is not found', 404, { 'content-type': 'text/html' }, '<html>Not Found</html>', 'model.bad-request', 'HTML'],
    ['text', 200, { 'content-type': 'text/plain' }, 'hello', 'model.bad-request', 'base_url'],
    ['a document of something else', 200, { 'content-type': 'application/json' }, '{"hello":1}', 'model.bad-request', 'base_url'],
    ['HTML that is not called so', 200, { 'content-type': 'application/json' }, '<html>', 'model.bad-request', 'HTML'],
    ['nothing', 204, {}, '', 'model.bad-request', 'base_url'],
  ])('%s', async (_what, status, headers, body, code, said) => {
    const { adapter } = await local([{ kind: 'error', status, headers, body }]);
    expect(await failureOf(run(adapter, asked()))).toMatchObject({ code, message: expect.stringContaining(said) });
  });

  test('a redirect is not followed: the key stays here', async () => {
    const elsewhere = await local([say('42')]);
    const { adapter } = await local([fail(307, 'moved', { headers: { location: `${elsewhere.server.url}/v1/messages` } })]);
    expect(await failureOf(run(adapter, asked()))).toMatchObject({ code: 'model.bad-request' });
    expect(elsewhere.server.requests).toHaveLength(0);
  });

  test('nobody there', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    listener.close();
    await once(listener, 'close');
    const adapter = adapterFor({ kind: 'anthropic', key: KEY, baseUrl: `http://127.0.0.1:${port}` });
    expect(await failureOf(run(adapter, asked()))).toMatchObject({
      code: 'model.api-error',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

describe('an answer that is not a stream', () => {
  const asText = (body: string): Served<MessagesReply> => ({
    kind: 'error',
    status: 200,
    headers: { 'content-type': 'application/json' },
    body,
  });
  const asJson = (body: object) => asText(JSON.stringify(body));

  test('is read too: text, calls, what was used', async () => {
    const use = { type: 'tool_use', id: 'c', name: 'read_file', input: { path: 'a' } };
    const said = { type: 'message', model: 'claude-2', usage: { input_tokens: 3, output_tokens: 4 } };
    const { adapter, server } = await local([
      asJson({ ...said, content: [{ type: 'text', text: 'I look.' }, use], stop_reason: 'tool_use' }),
      asJson({ ...said, content: [{ type: 'text', text: '42' }], stop_reason: 'end_turn' }),
    ]);
    const one = asked();
    await run(adapter, one);
    expect(one.made).toMatchObject([{ tool: 'read_file', args: { path: 'a' } }]);
    expect(one.transcript.at(-1)).toMatchObject({ text: '42', model: 'claude-2', usage: { inputTokens: 3, outputTokens: 4 } });
    expect(server.problems).toEqual([]);
  });

  test('and breaks off in its JSON cannot be read', async () => {
    const { adapter } = await local([asText('{"content": [')]);
    expect(await failureOf(run(adapter, asked()))).toMatchObject({
      code: 'model.api-error',
      message: expect.stringContaining('cannot be read'),
    });
  });

  test('may be an error all the same, and costs nothing', async () => {
    const { adapter } = await local([asJson({ type: 'error', error: { type: 'overloaded_error', message: 'later' } })]);
    const one = asked();
    expect(await failureOf(run(adapter, one))).toMatchObject({ code: 'model.overloaded' });
    expect(one.transcript).toHaveLength(1);
  });
});

test('a refusal without an end is reported by its beginning', async () => {
  const { adapter } = await local([fail(500, 'x', { body: 'again and again '.repeat(1_000_000) })]);
  const { code, message } = await failureOf(run(adapter, asked()));
  expect(code).toBe('model.api-error');
  expect(message.length).toBeLessThan(1000);
});

test('blocks that come in one piece count towards what a reply may have', async () => {
  const block = { type: 'redacted_thinking', data: 'x'.repeat(REPLY_CHARACTERS / 2) };
  const { adapter } = await local([{ kind: 'reply', content: [block, block, block] }]);
  expect(await failureOf(run(adapter, asked()))).toMatchObject({ code: 'output.too-large' });
});

test('a base URL may have the version in it', async () => {
  const { server } = await local([say('42')]);
  const one = asked();
  await run(adapterFor({ kind: 'anthropic', key: server.key, baseUrl: `${server.url}/v1` }), one);
  expect(one.transcript.at(-1)).toMatchObject({ text: '42' });
});
