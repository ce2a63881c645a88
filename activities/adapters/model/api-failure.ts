import { isSecretHeader } from '../../../plan/agents/adapter';
import { defined } from '../../../plan/defined';
import { errorCode } from '../../../plan/error-code';
import { ThermidorFailure } from '../../../plan/run/failure';
import { cutAfter } from '../../../plan/text/shortened';
import { unreachable } from '../../../plan/unreachable';
import { isUnsent } from '../http/is-unsent';
import { PROXY_AUTHENTICATION, ProxyLost, ProxyRefusal } from '../http/through-proxy';
import { retryAfterMs } from '../notify/post-to-hook';
import type { Endpoint } from './endpoint';

/**
 * The failure for a service's refusal, the same for every family. Failures name the adapter, its host and the model, and quote the
 * beginning of the service's message; never a key (`Endpoint.hide`).
 *
 * Retried by Temporal, honouring the service's delay: 429, 529, overload within a stream (`model.overloaded`). Once, as a new try: 408,
 * 409, 5xx, a connection that fails or breaks (`model.api-error`). Not retried: everything else.
 */
export interface ApiRefusal {
  /** Undefined if it came within a stream that had begun well. */
  status?: number;
  /** The service's own words; undefined if it is not an API's JSON. */
  says?: string;
  /** `html`: no API answers here. */
  form?: 'html' | 'other';
  /** The family's knowledge of it beyond the status. */
  because?: 'context-length' | 'overloaded' | 'quota';
  headers?: Headers;
}

/** How much of a refusal is read. */
export const REFUSAL_BYTES = 64 * 1024;

type RefusalKind = 'unauthorized' | 'unknown' | 'context-length' | 'overloaded' | 'quota' | 'api-error' | 'redirect' | 'bad-request';

export function apiFailure(endpoint: Endpoint, model: string, refusal: ApiRefusal): ThermidorFailure {
  const { status, headers } = refusal;
  const details = { adapter: endpoint.name, model, ...defined({ status }) };
  const at = serviceName(endpoint);
  const said = saidBy(endpoint, refusal);
  const kind = kindOf(refusal);
  switch (kind) {
    case 'unauthorized':
      return new ThermidorFailure('model.unauthorized', `${at} ${refusedWho(endpoint)}${said}`, details);
    case 'quota':
      return new ThermidorFailure('model.unauthorized', `${at} says that the quota of the key is used up${said}`, details);
    case 'unknown':
      return new ThermidorFailure(
        'model.bad-request',
        `${at} has no model "${model}", or there is no API at that address; check both${said}`,
        details,
      );
    case 'context-length':
      return new ThermidorFailure('model.context-length', `the context is too long for "${model}" at ${at}${said}`, details);
    case 'overloaded':
      return new ThermidorFailure('model.overloaded', `${at} is overloaded or rate-limited${said}`, details, waitMs(headers));
    case 'api-error':
      return new ThermidorFailure('model.api-error', `${at} failed${said}`, details);
    case 'redirect':
      return new ThermidorFailure('model.bad-request', `${at} redirects to another address; check base_url${said}`, details);
    case 'bad-request':
      return new ThermidorFailure('model.bad-request', `${at} rejected the request for "${model}"${said}`, details);
    default:
      return unreachable(kind);
  }
}

function kindOf({ status, because }: ApiRefusal): RefusalKind {
  if (because !== undefined) return because;
  if (status === undefined) return 'api-error';
  if (status === 429 || status === 529) return 'overloaded';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 402) return 'quota';
  if (status === 404) return 'unknown';
  if (status === 413) return 'context-length';
  if (status === 408 || status === 409 || status >= 500) return 'api-error';
  return status >= 300 && status < 400 ? 'redirect' : 'bad-request';
}

/** If no key is set up, the message says so; a header may have authenticated the request. */
function refusedWho({ name, key, headers }: Endpoint): string {
  if (key !== undefined || Object.keys(headers).some(isSecretHeader)) return 'rejected the key';
  return `requires a key: set up adapters.${name}.key in thermidor.yaml`;
}

/** A good status with content that no API sends. */
export function notAnApi(endpoint: Endpoint, form: 'html' | 'other'): ThermidorFailure {
  const what = form === 'html' ? 'HTML' : 'something that is not JSON';
  return new ThermidorFailure('model.bad-request', `${serviceName(endpoint)} answers with ${what}; check base_url`, {
    adapter: endpoint.name,
  });
}

/** The service answers, but a piece of its reply is not JSON. */
export function unreadableReply(endpoint: Endpoint, piece: string): ThermidorFailure {
  const said = saidBy(endpoint, { says: piece });
  return new ThermidorFailure('model.api-error', `${serviceName(endpoint)} sent a reply that cannot be read: it is not JSON${said}`, {
    adapter: endpoint.name,
  });
}

/**
 * The service cannot be reached, or the connection broke; a refusing proxy's status says what that means. The address may hold private
 * data, so only its host is shown.
 */
export function connectionFailure(endpoint: Endpoint, error: unknown, broke = false): ThermidorFailure {
  if (error instanceof ProxyRefusal) return proxyFailure(endpoint, error);
  const what = broke ? 'broke off in the middle of a reply' : 'cannot be reached';
  const { name, baseUrl, hide } = endpoint;
  // Its message names the proxy itself.
  const at = serviceName(error instanceof ProxyLost ? { name, baseUrl } : endpoint);
  return new ThermidorFailure('model.api-error', `${at} ${what}: ${hide(reasonOf(error))}`, {
    adapter: name,
    ...(!broke && (error instanceof ProxyLost || isUnsent(error)) ? { unsent: true } : {}),
  });
}

function proxyFailure({ name, baseUrl }: Endpoint, { message, status, headers }: ProxyRefusal): ThermidorFailure {
  const says = `${serviceName({ name, baseUrl })} cannot be reached: ${message}`;
  const details = { adapter: name, status };
  const kind = status === PROXY_AUTHENTICATION ? 'unauthorized' : kindOf({ status });
  if (kind === 'overloaded') return new ThermidorFailure('model.overloaded', says, details, waitMs(headers));
  if (kind === 'unauthorized') return new ThermidorFailure('model.unauthorized', says, details);
  return new ThermidorFailure(kind === 'api-error' ? 'model.api-error' : 'model.bad-request', says, details);
}

/** The name in failures: `adapter "local" (127.0.0.1:11434)`, with the host of the proxy in use. */
export function serviceName({ name, baseUrl, proxy }: Pick<Endpoint, 'name' | 'baseUrl' | 'proxy'>): string {
  const way = proxy === undefined ? '' : ` through the proxy ${proxy.url.host}`;
  return `adapter "${name}" (${new URL(baseUrl).host}${way})`;
}

/**
 * When a service asks to be asked again: `retry-after-ms`, `retry-after` in seconds or as a date; an hour at most. Undefined if it says
 * nothing useful, such as a past moment: Temporal's own pauses grow.
 */
export function waitMs(headers: Headers | undefined, nowMs = Date.now()): number | undefined {
  const exact = headers?.get('retry-after-ms')?.trim();
  const isExact = exact !== undefined && /^\d+(\.\d+)?$/.test(exact);
  return retryAfterMs(isExact ? String(Number(exact) / 1000) : (headers?.get('retry-after') ?? null), nowMs);
}

const QUOTED = 400;

function saidBy({ hide }: Endpoint, { status, says, form }: ApiRefusal): string {
  const code = status === undefined ? '' : ` (${status})`;
  if (form === 'html') return `${code}: it answers with HTML`;
  const line = says === undefined ? '' : hide(says).replace(/\s+/g, ' ').trim();
  if (line === '') return code;
  return `${code}: ${cutAfter(line, QUOTED)}`;
}

/**
 * fetch's own message says only that it failed; the reason is its cause. Checked by shape: an error may come from another realm, as under
 * Jest.
 */
function reasonOf(error: unknown): string {
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined;
  return errorCode(cause) ?? messageOf(cause) ?? errorCode(error) ?? messageOf(error) ?? String(error);
}

function messageOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  return typeof error.message === 'string' && error.message !== '' ? error.message : undefined;
}
