import { WebhookChannel } from '../../../channels/webhook/send';
import { failureOf } from '../workshop';
import { GATE_KEY, messageTo, never, question, RUN, secrets } from './messages';
import { webhookServer } from './webhook-server';

const webhook = new WebhookChannel(secrets);

describe('a message to a webhook', () => {
  test.each(['shared secret', 'secret://env/HOOK_SECRET'])('is signed with the channel’s secret, given as %s', async (webhookSecret) => {
    const server = await webhookServer('shared secret');
    await webhook.deliver(question({ webhook: server.url, webhookSecret }, { body: 'ship “it”? 🦀' }), never);
    expect(server.received).toHaveLength(1);
  });

  test('is not signed if the channel has no secret', async () => {
    const server = await webhookServer();
    await webhook.deliver(messageTo({ webhook: server.url }), never);
    expect(Object.keys(server.received[0]?.headers ?? {}).filter((name) => name.startsWith('thermidor-'))).toEqual([]);
  });

  test('is not sent at all if the secret leads nowhere', async () => {
    const server = await webhookServer();
    const failure = await failureOf(webhook.deliver(messageTo({ webhook: server.url, webhookSecret: 'secret://env/NONE' }), never));
    expect(failure.code).toBe('secret.missing');
    expect(server.received).toEqual([]);
  });

  test('has all that a receiver needs to answer', async () => {
    const server = await webhookServer();
    await webhook.deliver(question({ webhook: server.url }, { gate: { approvers: ['cfo'], deadline: '2026-11-22T08:00:00.000Z' } }), never);
    expect(server.received[0]?.body).toMatchObject({
      kind: 'gate',
      run: RUN,
      body: 'Buy 2 BTC?',
      gate: {
        step: 'approve',
        kind: 'approval',
        question: 'Buy 2 BTC?',
        choices: ['approve', 'reject'],
        shown: 'ab'.repeat(32),
        key: GATE_KEY,
        url: `https://decide.example.org/g/${GATE_KEY}`,
        approvers: ['cfo'],
        deadline: '2026-11-22T08:00:00.000Z',
      },
    });
  });

  test('takes a user and a password of its address as what they are', async () => {
    const server = await webhookServer();
    await webhook.deliver(messageTo({ webhook: server.url.replace('http://', 'http://me:p%40ss@') }), never);
    expect(server.received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  });

  test('has an idempotency key that a header can hold, whatever the run is called', async () => {
    const server = await webhookServer();
    await webhook.deliver({ ...messageTo({ webhook: server.url }), idempotencyKey: 'läuf\r\nx: y/r/a' }, never);
    expect(server.received[0]?.headers['idempotency-key']).toBe('l%C3%A4uf%0D%0Ax:%20y/r/a');
  });
});
