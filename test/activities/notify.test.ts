import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { retryAfterMs } from '../../activities/adapters/notify/post-to-hook';
import { LocalSecrets } from '../../activities/adapters/secrets';
import type { ChannelMessage } from '../../activities/channel-port';
import { notify } from '../../activities/gates/notify';
import { ConsoleChannel } from '../../channels/console/send';
import { WebhookChannel } from '../../channels/webhook/send';
import { codeOf, failureOf, KEY, outputTemplate, scratchFolder, workshop } from './workshop';

interface Received {
  body: unknown;
  idempotencyKey: string | undefined;
}

/** A receiver on a local port that answers with the given statuses in turn, and repeats the last. For 0 it never answers. */
async function receiver(...statuses: number[]): Promise<{ url: string; received: Received[]; close(): void }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ body: JSON.parse(await bodyOf(request)), idempotencyKey: String(request.headers['idempotency-key']) });
    const status = statuses[Math.min(received.length, statuses.length) - 1] ?? 200;
    if (status !== 0) response.writeHead(status, { 'retry-after': '7', location: '/elsewhere' }).end('thanks');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  opened.push(close);
  return { url: `http://127.0.0.1:${port}/hook`, received, close };
}

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

const never = new AbortController().signal;
const webhook = new WebhookChannel(new LocalSecrets({ HOOK: 'secret value' }));

function message(url: string): ChannelMessage {
  const about = { idempotencyKey: 'w/r/a', run: 'w', channel: '#approvals', kind: 'message' as const };
  return { ...about, title: 'Message: run w', body: 'hello', text: 'hello', spec: { webhook: url } };
}

describe('a webhook channel', () => {
  test('posts text, channel and run with the message’s key', async () => {
    const { url, received } = await receiver(204);
    await webhook.deliver(message(url), never);
    expect(received).toEqual([
      {
        idempotencyKey: 'w/r/a',
        body: {
          text: 'hello',
          title: 'Message: run w',
          body: 'hello',
          kind: 'message',
          channel: '#approvals',
          run: 'w',
          idempotency_key: 'w/r/a',
        },
      },
    ]);
  });

  test('says how the run ended, once it has', async () => {
    const { url, received } = await receiver(204);
    await webhook.deliver({ ...message(url), end: { state: 'failed', error: 'step.failed: no', failedStep: 'pay#2' } }, never);
    expect(received[0]?.body).toMatchObject({ end: { state: 'failed', error: 'step.failed: no', failed_step: 'pay#2' } });
  });

  test.each([500, 503, 429])('is unavailable for a while after %d, as long as the server says', async (status) => {
    const { url } = await receiver(status);
    expect(await failureOf(webhook.deliver(message(url), never))).toMatchObject({ code: 'channel.unavailable', retryAfterMs: 7000 });
  });

  test.each([400, 401, 404, 302])('refuses for good after %d', async (status) => {
    const { url } = await receiver(status);
    expect(await codeOf(webhook.deliver(message(url), never))).toBe('channel.refused');
  });

  test('is unavailable if nobody answers, and never quotes its address', async () => {
    const { url, close } = await receiver(200);
    close();
    const failure = await failureOf(webhook.deliver(message(url), never));
    expect(failure.code).toBe('channel.unavailable');
    expect(failure.message).not.toContain(url);
  });

  test('is unavailable if the answer takes too long', async () => {
    const { url } = await receiver(0);
    const hasty = new WebhookChannel(new LocalSecrets({}), 50);
    expect(await codeOf(hasty.deliver(message(url), never))).toBe('channel.unavailable');
  });

  test.each(['secret://env/HOOK', 'file:///etc/passwd', 'not an address'])(
    'refuses a text that is not an address, without quoting it: %s',
    async (url) => {
      const failure = await failureOf(webhook.deliver(message(url), never));
      expect(failure.code).toBe('channel.refused');
      expect(failure.message).not.toContain('secret value');
    },
  );

  test('serves only channels that have a webhook', () => {
    expect(webhook.serves(message('https://example.org'))).toBe(true);
    expect(webhook.serves({ ...message(''), spec: { mention: '@chairman' } })).toBe(false);
  });

  test.each([
    ['7', 7000],
    ['Sat, 21 Nov 2026 08:00:10 GMT', 10_000],
    ['Sat, 21 Nov 2026 07:00:00 GMT', undefined],
    ['0', undefined],
    ['0.001', 200],
    ['99999999', 3_600_000],
    ['soon', undefined],
    [null, undefined],
  ])('reads Retry-After %j', (header, expected) => {
    expect(retryAfterMs(header, Date.parse('2026-11-21T08:00:00Z'))).toBe(expected);
  });
});

describe('secrets', () => {
  test('come from the environment and from files', async () => {
    const file = join(scratchFolder(), 'hook');
    writeFileSync(file, 'from a file\n');
    const secrets = new LocalSecrets({ HOOK: 'from the environment' });
    expect(await secrets.resolve('secret://env/HOOK')).toBe('from the environment');
    expect(await secrets.resolve(`secret://file${file}`)).toBe('from a file');
    expect(await secrets.resolve('plain')).toBe('plain');
  });

  test.each(['secret://env/NONE', 'secret://file/no/such/file', 'secret://vault/x', 'secret://'])(
    'that lead nowhere are named: %s',
    async (reference) => {
      const failure = await failureOf(new LocalSecrets({}).resolve(reference));
      expect(failure.code).toBe('secret.missing');
      expect(failure.message).toContain(reference);
    },
  );
});

describe('a message to a channel', () => {
  const CALL = 'converge#1~1/notify-3';

  test('goes out by every adapter that serves the channel', async () => {
    const { url, received } = await receiver(200);
    const lines: string[] = [];
    const shop = workshop({ channelAdapters: [new ConsoleChannel((text) => lines.push(text)), webhook] });
    await shop.open([], { channels: { '#approvals': { webhook: url, mention: '@chairman' } } });
    const output = await notify(shop.toolbox, shop.call(CALL), { run: KEY.run, channel: '#approvals', message: 'decide' });
    expect(output).toEqual({ message: 'decide', deliveredTo: ['console', 'webhook'] });
    expect(lines).toEqual(['#approvals: @chairman decide']);
    expect(received).toMatchObject([{ body: { text: '@chairman decide', run: KEY.workflowId } }]);
  });

  test('is not sent again by the adapter that took it when another one is retried', async () => {
    const { url, received } = await receiver(503, 200);
    const lines: string[] = [];
    const shop = workshop({ channelAdapters: [new ConsoleChannel((text) => lines.push(text)), webhook] });
    await shop.open([], { channels: { '#errors': { webhook: url } } });
    const input = { run: KEY.run, channel: '#errors', message: 'm' };
    expect(await codeOf(notify(shop.toolbox, shop.call(CALL), input))).toBe('channel.unavailable');
    await notify(shop.toolbox, shop.call(CALL, { attempt: 2 }), input);
    await notify(shop.toolbox, shop.call(CALL, { attempt: 3 }), input);
    expect(lines).toHaveLength(1);
    expect(received.map(({ idempotencyKey }) => idempotencyKey)).toEqual(Array(2).fill(`${KEY.workflowId}/${KEY.run}/${CALL}`));
  });

  test('renders the step’s own template', async () => {
    const shop = workshop({ channelAdapters: [new ConsoleChannel(() => undefined)] });
    await shop.open([{ id: 'tell', kind: 'notify', channel: '#x', message: ['it is ', ...outputTemplate('converge', 'thesis')] }]);
    const converge = await shop.artifacts.put('{"thesis": "up"}', { mediaType: 'application/json' });
    const output = await notify(shop.toolbox, shop.call('tell#1~1'), { run: KEY.run, channel: '#x', inputs: { converge } });
    expect(output.message).toBe('it is up');
  });

  test('goes where the worker’s configuration says, not the plan', async () => {
    const { url, received } = await receiver(200);
    const shop = workshop({ channelAdapters: [webhook], channels: { '#x': { webhook: url } } });
    await shop.open([], { channels: { '#x': { webhook: 'https://plan.invalid' } } });
    await notify(shop.toolbox, shop.call(CALL), { run: KEY.run, channel: '#x', message: 'm' });
    expect(received).toHaveLength(1);
  });
});
