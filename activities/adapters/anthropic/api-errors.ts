import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { Json } from '../../../plan/text/json';
import { fields, json, text } from '../../../records/outside-json';
import { type ApiRefusal, connectionFailure } from '../model/api-failure';
import type { Endpoint } from '../model/endpoint';
import type { Sdk } from './sdk';

/** Why a request has no reply. `lost`: the connection failed; `failed`: the reply cannot be used. */
export type RequestFailure = { kind: 'refused'; refusal: ApiRefusal } | { kind: 'lost' | 'failed'; failure: ThermidorFailure };

/**
 * @param error as the client throws it
 * @param begun whether a reply was on its way
 */
export function requestFailureOf(sdk: Sdk, endpoint: Endpoint, error: unknown, begun: boolean): RequestFailure {
  // The transport's own errors are causes of the client's, if they occurred during a fetch.
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ThermidorFailure) return { kind: 'failed', failure: cause };
  }
  if (error instanceof sdk.APIError && error.status !== undefined) return { kind: 'refused', refusal: refusedBy(error) };
  const reason = error instanceof sdk.APIConnectionError ? (error.cause ?? error) : error;
  return { kind: 'lost', failure: connectionFailure(endpoint, reason, begun) };
}

const TOO_LONG = /prompt is too long|context (window|limit|length)|too many (input |total )?tokens/i;
const NO_CREDIT = /credit balance/i;

/** Errors by name, as they come within a stream that had begun well. */
const STATUS_OF: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

const FAULT = fields({ error: fields({ type: text, message: json }), message: json, detail: json });

/** @param body the service's answer, if it is JSON; else `text` */
export function refusalOf({
  body,
  text = '',
  status,
  headers,
}: {
  body?: Json;
  text?: string;
  status?: number;
  headers?: Headers;
}): ApiRefusal {
  const { error, message, detail } = FAULT.parse(body);
  const { type } = error;
  const said = error.message ?? message ?? detail;
  const says = typeof said === 'string' ? said : body === undefined ? text : JSON.stringify(body);
  const known = status ?? (type !== undefined && Object.hasOwn(STATUS_OF, type) ? STATUS_OF[type] : undefined);
  const because = becauseOf(known, says, type);
  return {
    says,
    form: body === undefined && /^\s*</.test(says) ? 'html' : 'other',
    ...defined({ status: known, because, headers }),
  };
}

function becauseOf(status: number | undefined, says: string, type: string | undefined): ApiRefusal['because'] {
  if (type === 'overloaded_error') return 'overloaded';
  if (NO_CREDIT.test(says)) return 'quota';
  return status === 413 || (status === 400 && TOO_LONG.test(says)) ? 'context-length' : undefined;
}

interface Thrown {
  status: number | undefined;
  error: unknown;
  message: string;
  headers: Headers | undefined;
}

/** The client puts the status before the service's words, and its own words if there were none. */
function refusedBy({ status, error, message, headers }: Thrown): ApiRefusal {
  const said = defined({ status, headers });
  if (typeof error === 'object' && error !== null) return refusalOf({ ...said, body: error as Json });
  return refusalOf({ ...said, text: message.replace(/^\d{3} ?(status code \(no body\))?/, '') });
}
