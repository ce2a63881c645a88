import { connectionFailure } from '../model/api-failure';
import type { Endpoint } from '../model/endpoint';

/** One request to a service. Fails with `model.api-error` where nobody answers, with the signal's reason where that came first. */

export type Posted = { kind: 'answer'; answer: Response } | { kind: 'refused'; status: number; headers: Headers; text: string };

/** No more of a refusal is read. */
const REFUSAL_BYTES = 64 * 1024;

export async function post(endpoint: Endpoint, path: string, body: string, idempotencyKey: string, signal: AbortSignal): Promise<Posted> {
  signal.throwIfAborted();
  const { baseUrl, key, headers } = endpoint;
  try {
    const answer = await fetch(`${baseUrl}/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        'idempotency-key': idempotencyKey,
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body,
      // A key is not carried to where a server points.
      redirect: 'manual',
      signal,
    });
    if (answer.ok) return { kind: 'answer', answer };
    return { kind: 'refused', status: answer.status, headers: answer.headers, text: await beginning(answer) };
  } catch (error) {
    signal.throwIfAborted();
    throw connectionFailure(endpoint, error);
  }
}

async function beginning(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    sizeBytes += chunk.byteLength;
    if (sizeBytes >= REFUSAL_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
