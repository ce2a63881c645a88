import { ThermidorFailure } from '../../../plan/run/failure';
import type { Secrets } from '../../ports';
import { isUnsent } from '../http/is-unsent';
import { responseStart } from '../response-beginning';

/**
 * Posts of messages to webhooks. Failures say which hook of which channel, and never quote its address: it is often the secret itself.
 *
 * Retried by Temporal: no answer, 408, 425, 429 and 5xx (`channel.unavailable`). Not retried: any other answer, redirections included
 * (`channel.refused`), because the same message would be refused again.
 */
export const HOOK_TIMEOUT_MS = 10_000;

export interface HookPost {
  /** The name of the hook for people: `the webhook of #approvals`. */
  hook: string;
  channel: string;
  address: URL;
  headers?: Readonly<Record<string, string>>;
  /** JSON text, or a form. */
  body: string | FormData;
  timeoutMs: number;
}

export interface HookAnswer {
  ok: boolean;
  status: number;
  retryAfter: string | null;
  /** The beginning of a refusal's text; the body of a success is not read. */
  text: string;
}

/** How much of a refusal is read. */
const READ_BYTES = 16 * 1024;
const RETRIED = [408, 425, 429];

export async function hookAddress(secrets: Secrets, reference: string | undefined, hook: string, channel: string): Promise<URL> {
  const address = await secrets.resolve(reference ?? '');
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return new URL(address);
  throw new ThermidorFailure('channel.refused', `${hook} is not an http or https address`, { channel });
}

export async function postToHook({ hook, channel, address, headers, body, timeoutMs }: HookPost, signal: AbortSignal): Promise<HookAnswer> {
  const late = AbortSignal.timeout(timeoutMs);
  const { url, authorization } = withoutCredentials(address);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}), ...authorization, ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    });
    const { ok, status } = response;
    const retryAfter = response.headers.get('retry-after');
    if (!ok) return { ok, status, retryAfter, text: await responseStart(response, READ_BYTES) };
    // Unread, the body would hold its connection.
    await response.body?.cancel();
    return { ok, status, retryAfter, text: '' };
  } catch (error) {
    signal.throwIfAborted();
    const why = late.aborted ? `did not answer within ${timeoutMs} ms` : 'cannot be reached';
    throw new ThermidorFailure('channel.unavailable', `${hook} ${why}`, { channel, ...(isUnsent(error) ? {} : { unanswered: true }) });
  }
}

/** `waitMs` is what the service says in a way of its own about when to come again. */
export function requireAccepted({ hook, channel }: Pick<HookPost, 'hook' | 'channel'>, answer: HookAnswer, waitMs?: number): void {
  const { ok, status } = answer;
  if (ok) return;
  if (status < 500 && !RETRIED.includes(status)) {
    throw new ThermidorFailure('channel.refused', `${hook} answered ${status}; check its address`, { channel, status });
  }
  const afterMs = longest(retryAfterMs(answer.retryAfter, Date.now()), waitMs);
  throw new ThermidorFailure('channel.unavailable', `${hook} answered ${status}`, { channel, status }, afterMs);
}

const LONGEST_WAIT_MS = 3_600_000;
/** A service that says "at once" again and again is not asked without a pause. */
const LEAST_WAIT_MS = 200;

/** Retry-After in either form, seconds or a date, within bounds; undefined if it says nothing useful, such as a past moment. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return waitMs > 0 ? Math.ceil(Math.min(Math.max(waitMs, LEAST_WAIT_MS), LONGEST_WAIT_MS)) : undefined;
}

function longest(...waits: (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === 0 ? undefined : Math.min(Math.ceil(Math.max(...known)), LONGEST_WAIT_MS);
}

/** fetch takes no address with a user and a password in it. */
function withoutCredentials(address: URL): { url: URL; authorization: Record<string, string> } {
  if (address.username === '' && address.password === '') return { url: address, authorization: {} };
  const url = new URL(address);
  url.username = '';
  url.password = '';
  const pair = `${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`;
  return { url, authorization: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}
