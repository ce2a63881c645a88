import { createHmac } from 'node:crypto';
import { HOOK_TIMEOUT_MS, hookAddress, postToHook, requireAccepted } from '../../activities/adapters/notify/post-to-hook';
import { shownPart } from '../../activities/adapters/notify/shown-part';
import type { ChannelAdapter, ChannelMessage } from '../../activities/channel-port';
import type { Secrets } from '../../activities/ports';
import { defined } from '../../plan/defined';
import type { RunEnd } from '../../plan/run/run-end';

/**
 * Posts a message as JSON to a channel's webhook: `{text, title, body, kind, from?, channel, run, idempotency_key, gate?: {step, item?,
 * kind, question, choices, shown, content?, content_cut?, key, url?, said?, approvers?, deadline?, zone?, identity?, note?, answer?,
 * commands}, end?: {state, error?, failed_step?}, report?: {name, media_type, content, content_cut?}}`: `gate` has all that an answer
 * needs, `end` says how the run's work ended, in messages of `finally` and in the notice of a failure.
 *
 * `Idempotency-Key` is the same for the same message, so that a receiver can recognise a repetition. If the channel has a `webhook_secret`,
 * `thermidor-signature` is `v1=` and the hexadecimal HMAC-SHA-256 with it over `<thermidor-timestamp>.<body>`; the timestamp is that of
 * sending, in seconds.
 */
export class WebhookChannel implements ChannelAdapter {
  readonly name = 'webhook';

  constructor(
    private readonly secrets: Secrets,
    private readonly timeoutMs = HOOK_TIMEOUT_MS,
  ) {}

  serves(message: ChannelMessage): boolean {
    return message.spec?.webhook !== undefined;
  }

  async deliver(message: ChannelMessage, signal: AbortSignal): Promise<void> {
    const { channel, spec, idempotencyKey } = message;
    const hook = `the webhook of ${channel}`;
    const address = await hookAddress(this.secrets, spec?.webhook, hook, channel);
    const secret = spec?.webhookSecret === undefined ? undefined : await this.secrets.resolve(spec.webhookSecret);
    const body = JSON.stringify(payload(message));
    const signature = secret === undefined ? {} : signed(secret, body, Date.now());
    const headers = { 'idempotency-key': headerText(idempotencyKey), ...signature };
    const answer = await postToHook({ hook, channel, address, headers, body, timeoutMs: this.timeoutMs }, signal);
    requireAccepted({ hook, channel }, answer);
  }
}

function payload(sent: ChannelMessage): object {
  const { text, title, body, kind, from, channel, run, idempotencyKey, gate, end } = sent;
  const message = {
    text,
    title,
    body,
    kind,
    from,
    channel,
    run,
    idempotency_key: idempotencyKey,
    ...defined({ end: end && ending(end) }),
    ...reportOf(sent),
  };
  if (!gate) return message;
  const { shownSha256, ...asked } = gate;
  const part = shownPart(sent, SHOWN_LIMIT);
  const content = part ? { content: part.text, ...defined({ content_cut: part.note }) } : {};
  return { ...message, gate: { ...asked, shown: shownSha256, ...content } };
}

function reportOf({ report }: ChannelMessage): { report?: object } {
  const part = report && shownPart({ shown: report.text, command: report.command }, SHOWN_LIMIT);
  if (!report || !part) return {};
  const cut = part.note === undefined ? {} : { content_cut: part.note };
  return { report: { name: report.name, media_type: report.mediaType, content: part.text, ...cut } };
}

function ending({ state, error, failedStep }: RunEnd): object {
  return { state, error, failed_step: failedStep };
}

/** How much of a gate's content, and of a report, a webhook gets; receivers accept a megabyte or less. */
const SHOWN_LIMIT = 100_000;

function signed(secret: string, body: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'thermidor-timestamp': timestamp, 'thermidor-signature': `v1=${mac}` };
}

/** A header accepts only printable ASCII; a workflow id may be any text. */
function headerText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : encodeURI(text);
}
