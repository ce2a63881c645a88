import type { Json } from '../../../plan/text/json';
import { say } from '../../support/completions-server/served';
import { fail } from '../../support/model-server/served';
import { asking, closeAll, failure, READ_FILE } from './asking';

afterEach(closeAll);

const SCHEMA: Json = { type: 'object', properties: { a: { type: 'string' } } };
const CLOSED: Json = { ...(SCHEMA as object), required: ['a'], additionalProperties: false };

describe('a server that does not take a word', () => {
  test.each([
    [['max_tokens'], 'max_completion_tokens', 1000],
    [['max_tokens', 'max_completion_tokens'], 'max_completion_tokens', undefined],
    [['stream_options'], 'stream_options', undefined],
    [['response_format'], 'response_format', undefined],
  ])('%j is asked again without it, and not with it again', async (refuses, word, value) => {
    const { ask, server } = await asking([say('{"a":"b"}')], { refuses });
    await ask({ schema: SCHEMA });
    const first = server.requests.length;
    expect(first).toBe(refuses.length + 1);
    await ask({ schema: SCHEMA });
    expect(server.requests).toHaveLength(first + 1);
    expect(server.requests.at(-1)?.body[word]).toBe(value);
    expect(server.problems).toEqual([]);
  });

  test('for the limit of a reply is asked without one only if the caller allows it', async () => {
    const { ask, server } = await asking([say('yes')], { refuses: ['max_tokens', 'max_completion_tokens'] });
    const held = () => {
      throw new Error('held');
    };
    await expect(ask({ maxTokens: 500, unlimited: held })).rejects.toThrow('held');
    await expect(ask({ maxTokens: 500, unlimited: held })).rejects.toThrow('held');
    expect(server.paid()).toBe(0);
    expect(await ask({ maxTokens: 500, unlimited: () => undefined })).toMatchObject({ text: 'yes', ownLimit: true });
  });

  test.each([
    'Grammar error: Unimplemented keys: ["format"]',
    'JSON schema conversion failed',
    "Invalid schema for response_format 'answer'",
  ])('and says so of a schema in other words: %s', async (says) => {
    const { ask, server } = await asking(({ body }) => (body['response_format'] === undefined ? say('{}') : fail(400, says)));
    await ask({ schema: SCHEMA });
    await ask({ schema: SCHEMA });
    expect(server.requests.map(({ body }) => body['response_format'] !== undefined)).toEqual([true, false, false]);
    expect(server.paid()).toBe(2);
  });

  test('is asked with it still for another model', async () => {
    const { ask, server } = await asking([say('yes')], { refuses: ['stream_options'] });
    await ask();
    await ask({ model: 'other' });
    expect(server.requests).toHaveLength(4);
  });

  test('that we did not say fails', async () => {
    const { ask, server } = await asking([fail(400, 'Unsupported parameter: max_completion_tokens')]);
    expect(await failure(ask())).toMatchObject({ code: 'model.bad-request' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a schema', () => {
  test('is sent if no tools are, word by word if the service can be held to it', async () => {
    const { ask, server } = await asking([say('{}')]);
    await ask({ schema: SCHEMA });
    await ask({ schema: CLOSED });
    await ask({ schema: SCHEMA, tools: [READ_FILE], idempotencyKey: 'w/run/other#1~1/1/1' });
    expect(server.requests.map(({ body }) => body['response_format'])).toEqual([
      { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA } },
      { type: 'json_schema', json_schema: { name: 'answer', schema: CLOSED, strict: true } },
      undefined,
    ]);
    expect(server.problems).toEqual([]);
  });
});

describe('a limit', () => {
  const SMALL =
    "This model's maximum context length is 8192 tokens. However, you requested 16100 tokens (100 in the messages, 16000 in the completion).";

  test('that is too high for what is read is lowered to what is left, once', async () => {
    const { ask, server } = await asking(({ body }) => (Number(body['max_tokens']) > 8092 ? fail(400, SMALL) : say('yes')));
    expect((await ask({ maxTokens: 16_000 })).text).toBe('yes');
    expect(server.requests.map(({ body }) => body['max_tokens'])).toEqual([16_000, 8092]);
  });

  test('that is too high for the model is lowered for all that follows', async () => {
    const most = 'max_tokens is too large: 16000. This model supports at most 4096 completion tokens, whereas you provided 16000.';
    const { ask, server } = await asking(({ body }) => (Number(body['max_tokens']) > 4096 ? fail(400, most) : say('yes')));
    await ask({ maxTokens: 16_000 });
    await ask({ maxTokens: 16_000 });
    expect(server.requests.map(({ body }) => body['max_tokens'])).toEqual([16_000, 4096, 4096]);
  });

  test('leaves no room if almost all of the context is read: it does not fit', async () => {
    const { ask, server } = await asking([fail(400, SMALL.replace('(100 in', '(8100 in'))]);
    expect(await ask({ maxTokens: 16_000 })).toMatchObject({ stop: 'overflow', text: '' });
    expect(server.requests).toHaveLength(1);
  });

  test('that a server refuses in every form fails in the end', async () => {
    let most = 5000;
    const { ask, server } = await asking(() => fail(400, `This model supports at most ${most--} completion tokens`));
    expect((await failure(ask({ maxTokens: 16_000 }))).code).toBe('model.bad-request');
    expect(server.requests.length).toBeLessThan(10);
  });
});
