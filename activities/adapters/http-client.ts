import { errorCode } from '../../plan/error-code';
import { ThermidorFailure } from '../../plan/run/failure';
import type { HttpClient, HttpPost } from '../ports';

/**
 * Posts by fetch. Failures name the host and never the whole address, which may hold a secret.
 *
 * Invariants: 1. an answer is read only up to its limit; 2. when the signal is aborted, `post` fails with its reason. Not retried by
 * Temporal: a service that was asked may have done its work.
 */
export class FetchClient implements HttpClient {
  async post({ url, headers, body, limitBytes }: HttpPost, signal: AbortSignal): ReturnType<HttpClient['post']> {
    signal.throwIfAborted();
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal });
      const { status, statusText } = response;
      return { status, statusText, text: await readAll(response, url, limitBytes) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ThermidorFailure) throw error;
      throw new ThermidorFailure('stage.failed', `${url.host} cannot be reached: ${reasonOf(error)}`, { host: url.host });
    }
  }
}

async function readAll(response: Response, url: URL, limitBytes: number): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body) {
    sizeBytes += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (sizeBytes > limitBytes) {
      throw new ThermidorFailure('output.too-large', `${url.host} answered with more than ${limitBytes} bytes`, { limitBytes });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** fetch's own message says only that it failed; the reason is its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const explained = [cause, error].find((one): one is Error => one instanceof Error && one.message !== '');
  return errorCode(cause) ?? explained?.message ?? String(error);
}
