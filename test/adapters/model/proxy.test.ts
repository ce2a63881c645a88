import { createAnthropicService } from '../../../activities/adapters/anthropic/service';
import type { ModelReply } from '../../../activities/adapters/model/service';
import { openAiService } from '../../../activities/adapters/openai/service';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import { say as sayChat } from '../../support/completions-server/served';
import { startCompletionsServer } from '../../support/completions-server/server';
import { say as sayMessages } from '../../support/messages-server/served';
import { startMessagesServer } from '../../support/messages-server/server';
import { fail, type ServedError, webPage } from '../../support/model-server/served';
import { type ProxyServer, refuse, type Says, startProxy } from '../../support/proxy-server';
import { failure, REQUEST } from '../openai/asking';

/** Services of both families, asked by way of the proxy that the environment names. */
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Family = 'anthropic' | 'openai';
const FAMILIES: Family[] = ['anthropic', 'openai'];

interface Way {
  proxy: ProxyServer;
  asked(): number;
  ask(): Promise<ModelReply>;
}

interface Order {
  /** The service's answer. @default a reply */
  serve?: ServedError;
  /** The proxy's answer. @default it connects */
  says?: Says;
  /** The scheme of the service's address. With TLS nobody gets further than the proxy here. @default 'http' */
  scheme?: 'http' | 'https';
}

async function through(family: Family, { serve, says, scheme = 'http' }: Order = {}): Promise<Way> {
  const server =
    family === 'anthropic'
      ? await startMessagesServer([serve ?? sayMessages('yes')])
      : await startCompletionsServer([serve ?? sayChat('yes')]);
  const proxy = await startProxy(Number(new URL(server.url).port), says);
  closing.push(proxy.close, () => server.close());
  const env = { K: server.key, [`${scheme}_proxy`]: `http://me:hunter2@${proxy.host}` };
  const baseUrl = `${scheme}://models.example.test/v1`;
  const options = { name: 'team', spec: { kind: family, baseUrl, key: 'secret://env/K' }, secrets: new LocalSecrets(env), env };
  const service = (family === 'anthropic' ? createAnthropicService : openAiService)(options);
  return {
    proxy,
    asked: () => server.requests.length,
    ask: () => service.reply(REQUEST, new AbortController().signal),
  };
}

test.each(FAMILIES)('%s: a reply comes through the proxy', async (family) => {
  const { ask, asked } = await through(family);
  expect(await ask()).toMatchObject({ text: 'yes' });
  expect(asked()).toBe(1);
});

test.each(FAMILIES)('%s: what the service says about when to come again comes through the proxy', async (family) => {
  const { ask } = await through(family, { serve: fail(429, 'slow down', { headers: { 'retry-after': '7' } }) });
  expect(await failure(ask())).toMatchObject({ code: 'model.overloaded', retryAfterMs: 7000 });
});

test.each(
  FAMILIES.flatMap((family) => [
    [family, 407, 'model.unauthorized', undefined] as const,
    [family, 403, 'model.unauthorized', undefined] as const,
    [family, 429, 'model.overloaded', 7000] as const,
    [family, 503, 'model.api-error', undefined] as const,
    [family, 400, 'model.bad-request', undefined] as const,
  ]),
)('%s: a proxy that refuses the way there with %i fails with %s, and is named by its host', async (family, status, code, retryAfterMs) => {
  const { ask, asked, proxy } = await through(family, { says: refuse(status, { 'retry-after': '7' }), scheme: 'https' });
  const failed = await failure(ask());
  expect(failed).toMatchObject({ code, message: expect.stringContaining(`the proxy ${proxy.host}`) });
  expect(failed.retryAfterMs).toBe(retryAfterMs);
  expect(JSON.stringify([failed, failed.message])).not.toContain('hunter2');
  expect(asked()).toBe(0);
});

test.each(FAMILIES)('%s: a proxy that asks who one is, without TLS, is distinguished from the service', async (family) => {
  const { ask, proxy } = await through(family, { says: refuse(407) });
  const failed = await failure(ask());
  expect(failed).toMatchObject({ code: 'model.unauthorized', message: expect.stringContaining(`the proxy ${proxy.host} rejected`) });
});

test.each(FAMILIES)('%s: the page of a proxy fails as a page does, and the proxy is named', async (family) => {
  for (const [status, code] of [
    [200, 'model.bad-request'],
    [502, 'model.api-error'],
  ] as const) {
    const { ask, proxy } = await through(family, { says: refuse(status, { 'content-type': 'text/html' }) });
    expect(await failure(ask())).toMatchObject({ code, message: expect.stringContaining(`through the proxy ${proxy.host}`) });
  }
});

test.each(FAMILIES)('%s: a page in place of the service is reported with the proxy', async (family) => {
  const { ask, proxy } = await through(family, { serve: webPage(200) });
  expect(await failure(ask())).toMatchObject({ code: 'model.bad-request', message: expect.stringContaining(`the proxy ${proxy.host}`) });
});

test.each(FAMILIES)('%s: what proves who one is to a proxy is masked if that repeats it', async (family) => {
  const says: Says = (socket) => {
    const proof = 'req' in socket ? socket.req.headers['proxy-authorization'] : undefined;
    refuse(400, { 'content-type': 'application/json' }, JSON.stringify({ error: { message: `not by ${proof}` } }))(socket);
  };
  const { ask } = await through(family, { says });
  expect((await failure(ask())).message).toContain('not by ***');
});

test.each(FAMILIES)('%s: a proxy that is gone is an error of the way, which a new try may mend', async (family) => {
  const { ask, proxy } = await through(family);
  await proxy.close();
  const failed = await failure(ask());
  expect(failed).toMatchObject({ code: 'model.api-error', message: expect.stringContaining(`the proxy ${proxy.host}`) });
  expect(failed.message).not.toContain('hunter2');
});

test.each(FAMILIES)('%s: what is not the address of a proxy is named by its variable', async (family) => {
  const env = { K: 'k', HTTPS_PROXY: 'socks5://me:hunter2@proxy.corp:1080' };
  const spec = { kind: family, key: 'secret://env/K' };
  const service = (family === 'anthropic' ? createAnthropicService : openAiService)({
    name: 'team',
    spec,
    secrets: new LocalSecrets(env),
    env,
  });
  const failed = await failure(service.reply(REQUEST, new AbortController().signal));
  expect(failed).toMatchObject({ code: 'model.bad-request', message: expect.stringContaining('HTTPS_PROXY') });
  expect(failed.message).not.toContain('hunter2');
});
