import { ThermidorFailure } from '../../../plan/failure';
import { field, type Json } from '../../../plan/json';
import { apiFailure, connectionFailure, type Refusal } from '../model/api-failure';
import type { Endpoint } from '../model/endpoint';
import type { Sdk } from './sdk';

/** What a request failed with, as the client throws it. */
export type Trouble = { kind: 'refused'; refusal: Refusal } | { kind: 'failed'; failure: Error };

/** @param begun whether a reply was on its way */
export function troubleOf(sdk: Sdk, endpoint: Endpoint, error: unknown, begun: boolean): Trouble {
  // Its own are causes of the client's, where they came up in the middle of a fetch.
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ThermidorFailure) return { kind: 'failed', failure: cause };
  }
  if (error instanceof sdk.APIConnectionTimeoutError) {
    return { kind: 'failed', failure: connectionFailure(endpoint, new Error('it did not answer in time')) };
  }
  if (error instanceof sdk.APIConnectionError) return { kind: 'failed', failure: connectionFailure(endpoint, error.cause ?? error, begun) };
  if (error instanceof sdk.APIError)
    return { kind: 'refused', refusal: refusalOf(error.status, error.error, error.message, error.headers) };
  if (error instanceof SyntaxError) {
    return { kind: 'failed', failure: connectionFailure(endpoint, new Error('an event is no JSON'), begun) };
  }
  return { kind: 'failed', failure: connectionFailure(endpoint, error, begun) };
}

/** Whether what was refused is how much there is to read. */
export function isTooLong({ status, says = '' }: Refusal): boolean {
  return status === 413 || (status === 400 && TOO_LONG.test(says));
}

export function refusedWith(endpoint: Endpoint, model: string, refusal: Refusal): ThermidorFailure {
  return apiFailure(endpoint, model, refusal);
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

function refusalOf(status: number | undefined, body: unknown, message: string, headers: Headers | undefined): Refusal {
  const json: Json | undefined = typeof body === 'object' && body !== null ? (body as Json) : undefined;
  const said = field(field(json, 'error'), 'message') ?? field(json, 'message') ?? field(json, 'detail');
  const type = field(field(json, 'error'), 'type');
  const says = typeof said === 'string' ? said : json === undefined ? message.replace(/^\d{3} /, '') : JSON.stringify(json);
  const known = status ?? (typeof type === 'string' && Object.hasOwn(STATUS_OF, type) ? STATUS_OF[type] : undefined);
  const html = json === undefined && /^\s*</.test(says);
  return {
    says,
    form: html ? 'html' : 'other',
    ...(known === undefined ? {} : { status: known }),
    ...(type === 'overloaded_error' ? { because: 'overloaded' } : NO_CREDIT.test(says) ? { because: 'quota' } : {}),
    ...(headers ? { headers } : {}),
  };
}
