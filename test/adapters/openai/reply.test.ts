import { defined } from '../../../plan/defined';
import { call, say } from '../../support/completions-server/served';
import { fail } from '../../support/model-server/served';
import { asking, closeAll, READ_FILE, TASK } from './asking';

afterEach(closeAll);

const CALL = { name: 'read_file', args: { path: 'a' } };

describe('a reply', () => {
  test('is put together from its pieces, with what was used', async () => {
    const text = 'A reply that is longer than a piece of the stream, with é and 🦞 in it.';
    const { ask, server } = await asking([say(text, { usage: { prompt: 100, completion: 7, cached: 60 }, model: 'qwen3-32b' })]);
    expect(await ask()).toEqual({
      text,
      calls: [],
      usage: { inputTokens: 40, outputTokens: 7, cacheReadTokens: 60, cacheWriteTokens: 0, costMicroUsd: null },
      model: 'qwen3-32b',
    });
    expect(server.problems).toEqual([]);
    expect(server.paid()).toBe(1);
  });

  test.each([
    ['no choice', [], 'empty'],
    ['a choice of another index', [{ index: 1, message: { content: 'x' } }], 'empty'],
    ['no content', [{ index: 0, message: { role: 'assistant', content: null }, finish_reason: 'stop' }], undefined],
    ['no message', [{ index: 0, finish_reason: 'stop' }], undefined],
  ])('with %s has no text, and no reply at all differs from one without text', async (_what, choices, stop) => {
    const body = JSON.stringify({ model: 'm', choices, usage: { prompt_tokens: 5, completion_tokens: 0 } });
    const reply = await (await asking([fail(200, 'x', { body })])).ask();
    expect([reply.text, reply.calls, reply.stop]).toEqual(['', [], stop]);
  });

  test('of a server that does not say what was used has no usage, and not one of zeros', async () => {
    const { ask } = await asking([say('yes', { usage: null }), say('yes', { usage: { prompt: 0, completion: 0 } })]);
    expect((await ask()).usage).toBeUndefined();
    expect((await ask()).usage).toBeUndefined();
  });

  test.each(['json', 'unmarked'] as const)('of a server that does not stream as it was asked to is read too: %s', async (form) => {
    const { ask } = await asking([{ kind: 'reply', text: 'look', calls: [CALL, CALL], form }]);
    const { text, calls, usage } = await ask({ tools: [READ_FILE] });
    expect({ text, tools: calls.map(({ tool, args }) => [tool, args]) }).toEqual({
      text: 'look',
      tools: [
        ['read_file', { path: 'a' }],
        ['read_file', { path: 'a' }],
      ],
    });
    expect(usage?.inputTokens).toBe(10);
  });

  test.each(['index', 'id', 'every-id', 'one-index'] as const)(
    'may say something and call several tools at once, told apart by %s',
    async (callsBy) => {
      const calls = [CALL, { name: 'list_files', args: {} }, { name: 'read_file', args: { path: 'b'.repeat(60) } }];
      const { ask } = await asking([{ kind: 'reply', text: 'I look.', calls, callsBy }]);
      const reply = await ask({ tools: [READ_FILE] });
      expect(reply.text).toBe('I look.');
      expect(reply.calls).toEqual([
        { id: 'call_1', tool: 'read_file', args: { path: 'a' } },
        { id: 'call_2', tool: 'list_files', args: {} },
        { id: 'call_3', tool: 'read_file', args: { path: 'b'.repeat(60) } },
      ]);
      expect(reply.stop).toBeUndefined();
    },
  );

  test('may call by the older form, and without an id', async () => {
    const { ask } = await asking([{ kind: 'reply', calls: [CALL], callsBy: 'function_call', finish: 'function_call' }]);
    const [made] = (await ask()).calls;
    expect(made).toMatchObject({ tool: 'read_file', args: { path: 'a' } });
    expect(made?.id).toMatch(/^[a-z0-9]{9}$/);
  });

  test('that says it has ended, and calls, calls', async () => {
    const { ask } = await asking([{ kind: 'reply', calls: [CALL], finish: 'stop' }]);
    expect((await ask()).calls).toHaveLength(1);
  });

  test.each([
    ['', {}],
    ['{"path": ', '{"path": '],
    ['not json', 'not json'],
    ['[1]', [1]],
  ])('with arguments %j has them as the model wrote them', async (args, expected) => {
    const { ask } = await asking([call(['read_file', args])]);
    expect((await ask()).calls[0]?.args).toEqual(expected);
  });

  test.each([
    ['length', 'cut'],
    ['content_filter', 'refused'],
    ['stop', undefined],
    ['something_new', undefined],
    [null, undefined],
  ])('that ended by %j stops as %j', async (finish, stop) => {
    const { ask } = await asking([say('half', { finish })]);
    expect(await ask()).toMatchObject({ text: 'half', ...defined({ stop }) });
  });

  test('is the first of several, whatever comes before it', async () => {
    const piece = (index: number, content: string) =>
      `data: ${JSON.stringify({ choices: [{ index, delta: { content }, finish_reason: 'stop' }] })}\n\n`;
    const headers = { 'content-type': 'text/event-stream' };
    const { ask } = await asking([{ kind: 'error', status: 200, headers, body: piece(1, 'another') + piece(0, 'the first') }]);
    expect((await ask()).text).toBe('the first');
  });

  test('that was cut has those calls that are whole', async () => {
    const { ask } = await asking([
      { ...call(['read_file', { path: 'a' }], ['read_file', '{"path": "b'], ['read_file', '']), finish: 'length' },
    ]);
    expect(await ask()).toMatchObject({ stop: 'cut', calls: [{ args: { path: 'a' } }] });
  });

  test('with a refusal is refused, in its words', async () => {
    const { ask } = await asking([{ kind: 'reply', refusal: 'I must not.', calls: [CALL] }]);
    expect(await ask()).toMatchObject({ text: 'I must not.', stop: 'refused', calls: [] });
  });

  test('is without what was thought, whether the server tells it apart or not', async () => {
    const { ask } = await asking([say('{"a":1}', { reasoning: 'hm' }), say('<think>\nhm {"a":2}\n</think>\n\n{"a":1}')]);
    expect((await ask()).text).toBe('{"a":1}');
    expect((await ask()).text).toBe('{"a":1}');
  });

  test('with bytes that are not UTF-8 is read with a mark in their place', async () => {
    const { ask } = await asking([say('caf\u00e9!', { fault: { kind: 'invalid-utf8' } })]);
    expect((await ask()).text).toMatch(/^caf\ufffd.*!$/);
  });

  test('without a last mark is whole if it says why it ended', async () => {
    const { ask } = await asking([say('yes', { done: false })]);
    expect((await ask()).text).toBe('yes');
  });
});

describe('a request', () => {
  test('shows the context as it was, results directly after their calls', async () => {
    const { ask, server } = await asking([say('yes')]);
    const made = { id: 'c1', tool: 'read_file', args: { path: 'a' } };
    await ask({
      tools: [READ_FILE],
      turns: [
        TASK,
        { role: 'assistant', text: '', calls: [made] },
        { role: 'tool', text: 'its content', call: made },
        { role: 'assistant', text: 'half', stop: 'cut' },
        { role: 'user', text: 'Again.' },
      ],
    });
    expect(server.problems).toEqual([]);
    expect(server.requests[0]?.body['messages']).toEqual([
      { role: 'system', content: 'You are careful.' },
      { role: 'user', content: 'Do it.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'its content' },
      { role: 'assistant', content: 'half' },
      { role: 'user', content: 'Again.' },
    ]);
  });

  test('gives the service back what it said with a call, and a call that no server would take in a form that it takes', async () => {
    const extra = { google: { thought_signature: 'x' } };
    const strange = { name: 'functions.read file', args: 'no json', extra };
    const { ask, server } = await asking([{ kind: 'reply', reasoning: 'hm', calls: [strange] }, say('yes')]);
    const { calls, message, text } = await ask();
    const results = calls.map((made) => ({ role: 'tool' as const, text: 'no such tool', call: made }));
    await ask({ turns: [TASK, { role: 'assistant', text, calls, ...defined({ message }) }, ...results] });
    expect(server.problems).toEqual([]);
    const messages = server.requests[1]?.body['messages'];
    expect(Array.isArray(messages) && messages[2]).toMatchObject({
      reasoning_content: 'hm',
      tool_calls: [{ extra_content: extra, function: { name: 'functions_read_file', arguments: '{"malformed":"no json"}' } }],
    });
  });

  test('that is the same has the same body and key; the next has another key', async () => {
    const { ask, server } = await asking([say('yes')]);
    for (const idempotencyKey of ['w/r/s#1~1/1/1', 'w/r/s#1~1/1/1', 'w/r/ä#1~1/1/3']) await ask({ idempotencyKey });
    const [first, second, third] = server.requests;
    expect(second?.body).toEqual(first?.body);
    expect([first, second, third].map((request) => request?.idempotencyKey)).toEqual(['w/r/s#1~1/1/1', 'w/r/s#1~1/1/1', 'w/r/ä#1~1/1/3']);
  });
});
