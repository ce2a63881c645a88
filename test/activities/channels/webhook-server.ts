import { createHmac, timingSafeEqual } from 'node:crypto';
import { type HookServer, hookServer, type Received, Rules } from './hook-server';

/** A receiver as the docs describe it: it accepts bodies that are signed with its secret and have the shape of a webhook. */
export async function webhookServer(secret?: string): Promise<HookServer & { url: string }> {
  const server = await hookServer((request) => [...brokenRules(request), ...(secret === undefined ? [] : brokenSeal(request, secret))], {
    status: 204,
  });
  return { ...server, url: `${server.origin}/hooks/a-token` };
}

const MESSAGE_KEYS = ['text', 'title', 'body', 'kind', 'channel', 'run', 'idempotency_key', 'gate', 'end'];
const GATE_KEYS = [
  'step',
  'kind',
  'question',
  'choices',
  'shown',
  'key',
  'url',
  'approvers',
  'note',
  'deadline',
  'zone',
  'content',
  'content_cut',
  'answer',
  'commands',
];

function brokenRules({ method, headers, body }: Received): string[] {
  const rules = new Rules();
  rules.require(method === 'POST', 'the method is POST');
  rules.require(headers['content-type'] === 'application/json', 'the body is JSON');
  const { text, kind, channel, run, idempotency_key, gate } = rules.fields(body, MESSAGE_KEYS, 'a message');
  rules.require(
    [text, kind, channel, run].every((value) => typeof value === 'string'),
    'a message says what it is',
  );
  rules.text(headers['idempotency-key'], 500, 'Idempotency-Key');
  rules.text(idempotency_key, 500, 'idempotency_key');
  if (gate === undefined) return rules.broken;
  const { step, key, shown, choices } = rules.fields(gate, GATE_KEYS, 'a gate');
  rules.text(step, 500, 'step');
  rules.text(key, 64, 'key');
  rules.require(typeof shown === 'string' && /^[0-9a-f]{64}$/.test(shown), 'shown is a digest');
  rules.list(choices, 100, 'choices');
  return rules.broken;
}

function brokenSeal({ headers, text }: Received, secret: string): string[] {
  const timestamp = String(headers['thermidor-timestamp']);
  const rules = new Rules();
  rules.require(/^\d{10}$/.test(timestamp), 'the timestamp is in seconds');
  const expected = Buffer.from(`v1=${createHmac('sha256', secret).update(`${timestamp}.${text}`).digest('hex')}`);
  const given = Buffer.from(String(headers['thermidor-signature']));
  rules.require(given.length === expected.length && timingSafeEqual(given, expected), 'the signature holds');
  return rules.broken;
}
