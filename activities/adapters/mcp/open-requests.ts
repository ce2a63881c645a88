import { createParser } from 'eventsource-parser';
import { errorCode } from '../../../plan/error-code';
import { field } from '../../../plan/text/json';
import { jsonIn } from '../../../plan/text/json-text';
import type { McpSdk } from './sdk';

/**
 * Requests over HTTP whose answers come on event streams. If a stream breaks off the SDK does not reject the waiting calls, and unless the
 * stream can be resumed the answer never comes: then the request gets an error from here, as if from its server. Only that request does;
 * the session and its other calls continue.
 *
 * Invariants: 1. an answered or cancelled request gets no error from here; 2. a stream with an event that has an id is left to the SDK to
 * resume; 3. a stream that we have closed ourselves gets no error either.
 */
export interface OpenRequest {
  id: string;
  /** The id of the last event that came for it. */
  lastEvent?: string;
  /** How often in a row its stream could not be taken up. */
  refusals: number;
}

export class OpenRequests {
  private readonly open = new Map<string, OpenRequest>();

  constructor(private readonly sdk: Pick<McpSdk, 'isAnswer' | 'ErrorCode'>) {}

  /** @param body the posted body. Undefined if it expects no answer. */
  sent(body: string): OpenRequest | undefined {
    const message = jsonIn(body);
    const [id, method] = [field(message, 'id'), field(message, 'method')];
    if (method === 'notifications/cancelled') this.open.delete(String(field(field(message, 'params'), 'requestId')));
    if (id === undefined || method === undefined) return undefined;
    const request = { id: String(id), refusals: 0 };
    this.open.set(request.id, request);
    return request;
  }

  /** The request whose answer continues after this event; undefined if nobody waits for it. */
  behind(event: string | null): OpenRequest | undefined {
    return event === null ? undefined : [...this.open.values()].find(({ lastEvent }) => lastEvent === event);
  }

  /** Forgets a request that no stream will answer. */
  drop({ id }: OpenRequest): void {
    this.open.delete(id);
  }

  /** Replaces a stream that cannot be resumed. */
  brokenOff(request: OpenRequest, why: string): Response {
    this.drop(request);
    return new Response(this.failed(request, why), { headers: { 'content-type': 'text/event-stream' } });
  }

  /** The stream of a request's answer, with the error at its end if there must be one. */
  untilAnswered(request: OpenRequest, stream: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
    const decoder = new TextDecoder();
    let goesOn = false;
    const parser = createParser({
      onEvent: ({ id, data }) => {
        if (id) request.lastEvent = id;
        goesOn ||= Boolean(id);
        if (this.isAnswerTo(request, data)) this.drop(request);
      },
    });
    const lastWord = (why?: unknown) => {
      if (signal.aborted || goesOn || this.open.get(request.id) !== request) return undefined;
      this.drop(request);
      return this.failed(request, why === undefined ? undefined : (errorCode(why) ?? String(why)));
    };
    return followed(stream, (bytes) => parser.feed(decoder.decode(bytes, { stream: true })), lastWord);
  }

  private isAnswerTo(request: OpenRequest, data: string): boolean {
    const message = jsonIn(data);
    return this.sdk.isAnswer(message) && String(field(message, 'id')) === request.id;
  }

  /** The error as an event, after whatever the stream broke off in. */
  private failed({ id }: OpenRequest, why: string | undefined): Uint8Array {
    const reason = why === undefined ? '' : ` (${why})`;
    const message = `the stream ended before its answer${reason}; the outcome of the request is unknown`;
    const answer = { jsonrpc: '2.0', id: Number(id), error: { code: this.sdk.ErrorCode.ConnectionClosed, message } };
    return new TextEncoder().encode(`\n\ndata: ${JSON.stringify(answer)}\n\n`);
  }
}

/** @param lastWord added at its end, or replacing its error */
function followed(
  stream: ReadableStream<Uint8Array>,
  onBytes: (bytes: Uint8Array) => void,
  lastWord: (error?: unknown) => Uint8Array | undefined,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            onBytes(value);
            return controller.enqueue(value);
          }
          const word = lastWord();
          if (word) controller.enqueue(word);
        } catch (error) {
          const word = lastWord(error);
          if (!word) throw error;
          controller.enqueue(word);
        }
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
