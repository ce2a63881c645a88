import { ThermidorFailure } from '../../plan/failure';
import type { ChannelAdapter, ChannelMessage, Secrets } from '../ports';

const TIMEOUT_MS = 10_000;

/**
 * Posts `{text, channel, run}` as JSON to a channel's webhook, with the message's key in `Idempotency-Key`, so that a
 * receiver can tell a repetition. Failures never quote the address: it is often the secret itself.
 *
 * Retried by Temporal: no answer, 429 and 5xx (`channel.unavailable`, with the server's Retry-After). Not retried: any other
 * answer (`channel.refused`), because the same message would be refused again.
 */
export class WebhookChannel implements ChannelAdapter {
  readonly name = 'webhook';

  constructor(
    private readonly secrets: Secrets,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  serves(message: ChannelMessage): boolean {
    return message.spec?.webhook !== undefined;
  }

  async deliver(message: ChannelMessage, signal: AbortSignal): Promise<void> {
    const response = await this.post(message, await this.address(message), signal);
    // Unread, the body would hold its connection.
    await response.body?.cancel();
    if (response.ok) return;
    const text = `the webhook of ${message.channel} answered ${response.status}`;
    if (response.status !== 429 && response.status < 500) {
      throw new ThermidorFailure('channel.refused', `${text}; check its address`, { channel: message.channel, status: response.status });
    }
    const details = { channel: message.channel, status: response.status };
    throw new ThermidorFailure('channel.unavailable', text, details, retryAfterMs(response.headers.get('retry-after'), Date.now()));
  }

  private async address({ channel, spec }: ChannelMessage): Promise<URL> {
    const address = await this.secrets.resolve(spec?.webhook ?? '');
    if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return new URL(address);
    throw new ThermidorFailure('channel.refused', `the webhook of ${channel} is no http or https address`, { channel });
  }

  private async post({ channel, run, text, idempotencyKey }: ChannelMessage, address: URL, signal: AbortSignal): Promise<Response> {
    const late = AbortSignal.timeout(this.timeoutMs);
    try {
      return await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ text, channel, run, idempotency_key: idempotencyKey }),
        redirect: 'manual',
        signal: AbortSignal.any([signal, late]),
      });
    } catch {
      signal.throwIfAborted();
      const why = late.aborted ? `did not answer within ${this.timeoutMs} ms` : 'cannot be reached';
      throw new ThermidorFailure('channel.unavailable', `the webhook of ${channel} ${why}`, { channel });
    }
  }
}

/** Retry-After in either form, seconds or a date; undefined where there is none. At most an hour. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const waitMs = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), 3_600_000) : undefined;
}
