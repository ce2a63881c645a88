import { createServer } from 'node:net';
import { BrokenReply } from '../../../activities/adapters/model/service';
import { ThermidorFailure } from '../../../plan/run/failure';
import { say } from '../../support/completions-server/served';
import { type Fault, fail, webPage } from '../../support/model-server/served';
import { asking, closeAll, failure, rejection } from './asking';

afterEach(closeAll);

const LONG = 'x'.repeat(200);

describe('a service that refuses', () => {
  test.each([
    [fail(400, 'no'), 'model.bad-request'],
    [fail(401, 'no'), 'model.unauthorized'],
    [fail(402, 'Insufficient Balance'), 'model.unauthorized'],
    [fail(403, 'no'), 'model.unauthorized'],
    [fail(404, 'model not found'), 'model.bad-request'],
    [fail(408, 'no'), 'model.api-error'],
    [fail(409, 'no'), 'model.api-error'],
    [fail(422, 'no'), 'model.bad-request'],
    [fail(429, 'no'), 'model.overloaded'],
    [fail(429, 'You exceeded your current quota', { code: 'insufficient_quota' }), 'model.unauthorized'],
    [fail(500, 'no'), 'model.api-error'],
    [fail(503, 'no'), 'model.api-error'],
    [fail(529, 'no'), 'model.overloaded'],
    [webPage(502), 'model.api-error'],
    [webPage(404), 'model.bad-request'],
    [webPage(200), 'model.bad-request'],
    [fail(307, 'x', { headers: { location: 'http://127.0.0.1:1/' } }), 'model.bad-request'],
    [fail(200, 'x', { body: 'pong' }), 'model.bad-request'],
    [fail(200, 'x', { body: '{"hello": 1}', headers: { 'content-type': 'application/json' } }), 'model.bad-request'],
    [fail(200, 'x', { body: '{"error": {"message": "no", "code": 429}}' }), 'model.overloaded'],
    [fail(200, 'x', { body: '{"error": {"message": "no", "code": 429}, "choices": []}' }), 'model.overloaded'],
    [fail(200, 'x', { body: '{"choices": [' }), 'model.api-error'],
    [fail(200, 'x', { body: '{"error": "the model is loading"}' }), 'model.api-error'],
    [fail(200, 'x', { body: '{"error": {"message": "no", "code": "insufficient_quota"}}' }), 'model.unauthorized'],
    [fail(200, 'x', { body: '{"choices": [{"error": {"message": "no", "code": 503}, "finish_reason": "error"}]}' }), 'model.api-error'],
    [fail(200, 'x', { body: '{"choices": [{"delta": {}, "finish_reason": "error"}]}' }), 'model.api-error'],
  ])('by %j fails with %s, and names the adapter', async (served, code) => {
    const { ask, server } = await asking([served]);
    const failed = await failure(ask());
    expect(failed.code).toBe(code);
    expect(failed.message).toContain('"local"');
    expect(server.paid()).toBe(0);
  });

  test.each([
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': 'soon' }, undefined],
  ])('says when to come again: %j', async (headers, retryAfterMs) => {
    const { ask } = await asking([fail(429, 'slow down', { headers })]);
    expect((await failure(ask())).retryAfterMs).toBe(retryAfterMs);
  });

  test.each([
    [400, 'context_length_exceeded', 'too long'],
    [400, undefined, "This model's maximum context length is 4096 tokens, however you requested more"],
    [413, undefined, 'Request too large'],
  ])('because of the context (%i, %s) says so as a reply that overflows', async (status, code, message) => {
    const { ask } = await asking([fail(status, message, code === undefined ? {} : { code })]);
    expect(await ask()).toEqual({ text: '', calls: [], model: 'qwen3', stop: 'overflow' });
  });

  test('with the key in its words is quoted without it', async () => {
    const { ask, server } = await asking([say('yes')], { spec: { key: 'secret://env/OTHER' } });
    expect((await failure(ask())).code).toBe('secret.missing');
    const echo = await asking([fail(401, `Incorrect API key provided: ${server.key}`)]);
    const { message } = await failure(echo.ask());
    expect(message).toContain('***');
    expect(message).not.toContain(server.key);
  });
});

describe('a reply that breaks off', () => {
  test.each<[Fault, string]>([
    [{ kind: 'cut', at: 4 }, 'model.api-error'],
    [{ kind: 'end', at: 4 }, 'model.api-error'],
    [{ kind: 'malformed', at: 4 }, 'model.api-error'],
    [{ kind: 'error', at: 4, error: { error: { message: 'gone', code: 502 } } }, 'model.api-error'],
    [{ kind: 'error', at: 4, error: { error: { message: 'overloaded', type: 'overloaded_error' } } }, 'model.overloaded'],
    // The reply as a gateway to several services ends it after the service broke off.
    [
      {
        kind: 'error',
        at: 4,
        error: {
          error: { code: 'server_error', message: 'gone' },
          choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
        },
      },
      'model.api-error',
    ],
    [{ kind: 'endless' }, 'output.too-large'],
    [{ kind: 'endless-line' }, 'output.too-large'],
  ])('by %j is reported as broken, with %s', async (fault, code) => {
    const { ask, server } = await asking([say(LONG, { fault })]);
    const error = await rejection(ask());
    expect(error).toBeInstanceOf(BrokenReply);
    const { cause, usage } = error as BrokenReply;
    expect(cause).toBeInstanceOf(ThermidorFailure);
    expect((cause as ThermidorFailure).code).toBe(code);
    // The server reports it at the very end.
    expect(usage).toBeUndefined();
    expect(server.paid()).toBe(1);
  });

  test.each<[Fault, string]>([
    [{ kind: 'cut', at: 1 }, 'model.api-error'],
    [{ kind: 'end', at: 1 }, 'model.api-error'],
    [{ kind: 'malformed', at: 1 }, 'model.api-error'],
    [{ kind: 'error', at: 1, error: { error: { message: 'This model’s maximum context length is 10' } } }, 'overflow'],
  ])('before its first piece, by %j, has cost nothing: %s', async (fault, expected) => {
    const { ask } = await asking([say(LONG, { fault })]);
    if (expected === 'overflow') expect((await ask()).stop).toBe('overflow');
    else expect((await failure(ask())).code).toBe(expected);
  });

  test('after its end is whole', async () => {
    // The role, one piece of text, the finish reason; then usage, at which the connection is cut.
    const { ask } = await asking([say('yes', { fault: { kind: 'cut', at: 4 } })]);
    expect(await ask()).toEqual({ text: 'yes', calls: [], model: 'qwen3' });
  });
});

describe('a request that is cancelled', () => {
  test.each([{ kind: 'silence' } as const, say(LONG, { fault: { kind: 'hang', at: 3 } }), say(LONG, { fault: { kind: 'endless' } })])(
    'while the service does %j ends with its reason, and closes the connection',
    async (served) => {
      const { ask, server } = await asking([served]);
      const off = new AbortController();
      const reason = new Error('cancelled');
      const asked = rejection(ask({ alive: () => off.abort(reason) }, off.signal));
      while (server.requests.length === 0) await new Promise(setImmediate);
      if (served.kind === 'silence') off.abort(reason);
      expect(await asked).toBe(reason);
      // It never ends if it stays open.
      while (!server.requests[0]?.gone) await new Promise(setImmediate);
    },
  );

  test('beforehand asks nobody', async () => {
    const { ask, server } = await asking([say('yes')]);
    expect(await rejection(ask({}, AbortSignal.abort('off')))).toBe('off');
    expect(server.requests).toEqual([]);
  });
});

describe('a service that is not there', () => {
  test('fails with model.api-error and the reason', async () => {
    const port = await freePort();
    const { ask } = await asking([], { spec: { baseUrl: `http://127.0.0.1:${port}/v1` } });
    expect(await failure(ask())).toMatchObject({ code: 'model.api-error', message: expect.stringContaining('ECONNREFUSED') });
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address ? address.port : 0;
}
