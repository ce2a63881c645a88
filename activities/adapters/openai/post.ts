import { sendRequest } from '../http/send';
import { connectionFailure, REFUSAL_BYTES } from '../model/api-failure';
import type { Endpoint } from '../model/endpoint';
import { responseStart } from '../response-beginning';

/**
 * One request to a service. Fails with `model.api-error` if nobody answers, with the failure for its status if a proxy refuses, and with
 * the signal's reason if that came first.
 */

export type Posted = { kind: 'answer'; answer: Response } | { kind: 'refused'; status: number; headers: Headers; text: string };

export async function postCompletion(
  endpoint: Endpoint,
  path: string,
  body: string,
  idempotencyKey: string,
  signal: AbortSignal,
): Promise<Posted> {
  signal.throwIfAborted();
  const { baseUrl, key, headers, proxy } = endpoint;
  const sent = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    'idempotency-key': idempotencyKey,
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...headers,
  };
  try {
    const answer = await sendRequest({ method: 'POST', url: `${baseUrl}/${path}`, headers: new Headers(sent), body, proxy }, signal);
    if (answer.ok) return { kind: 'answer', answer };
    return { kind: 'refused', status: answer.status, headers: answer.headers, text: await responseStart(answer, REFUSAL_BYTES) };
  } catch (error) {
    signal.throwIfAborted();
    throw connectionFailure(endpoint, error);
  }
}
