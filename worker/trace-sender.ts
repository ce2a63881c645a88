import type { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { proxyFor } from '../activities/adapters/http/proxy';
import { sendRequest } from '../activities/adapters/http/send';
import type { Log } from '../activities/log';
import type { Metrics } from '../activities/metrics';
import type { Secrets } from '../activities/ports';
import { ownSecrets } from '../activities/run/run-secrets';
import type { TraceSpan, Traces } from '../activities/traces-port';
import type { TraceSpec } from '../plan/run/services';
import { beginning } from '../plan/text/shortened';

export interface TraceSender extends Traces {
  /** Sends what waits, for a moment. */
  close(): Promise<void>;
}

interface Around {
  secrets: Secrets;
  log: Log;
  metrics: Metrics | undefined;
  /** The time that `close` takes at most. @default 2000 */
  closeMs?: number;
}

type ReadableSpan = Parameters<(typeof JsonTraceSerializer)['serializeRequest']>[0][number];

/** Ten seconds of a busy worker. */
const MOST_WAITING = 4096;
const BATCH = 512;
const SEND_MS = 2000;
const TIMEOUT_MS = 10_000;
const CLOSE_MS = 2000;
const MOST_PROBLEM = 200;
/** Names of models and tools are others'. */
const LONGEST = 200;

/**
 * Sends spans to a collector over OTLP/HTTP, as JSON. The library is loaded with the first batch.
 *
 * Invariants: 1. one batch is on its way at a time, and no more than `MOST_WAITING` spans wait: further ones are dropped and counted, so a
 * collector that is away or slow costs neither time nor memory, and gets what waits when it is back; 2. an outage is logged once; 3. no
 * span has a secret that this worker knows.
 */
export function traceSender(spec: TraceSpec, { secrets, log, metrics, closeMs = CLOSE_MS }: Around): TraceSender {
  const waiting: TraceSpan[] = [];
  let post: Promise<Post> | undefined;
  let sending: Promise<void> | undefined;
  let isAway = false;

  /** How many of them were taken; undefined if the collector may take them later. */
  async function deliver(batch: readonly TraceSpan[]): Promise<number | undefined> {
    try {
      post ??= openPost(spec, secrets);
      const taken = await (await post)(batch);
      isAway = false;
      return taken;
    } catch (error) {
      if (!isAway) log('warn', 'traces cannot be sent', { url: spec.url, error: beginning(String(error), MOST_PROBLEM) });
      isAway = true;
      return error instanceof Refused ? 0 : undefined;
    }
  }

  async function deliverAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      const sent = await deliver(batch);
      if (sent === undefined) return;
      waiting.splice(0, batch.length);
      count(sent, 'sent');
      count(batch.length - sent, 'dropped');
    }
  }

  function count(spans: number, outcome: 'sent' | 'dropped'): void {
    if (spans > 0) metrics?.traced({ spans, outcome });
  }

  function send(): Promise<void> {
    sending ??= deliverAll().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  const timer = setInterval(() => void send(), SEND_MS).unref();
  return {
    add(spans) {
      const { mask } = ownSecrets({ secrets });
      const room = spans.slice(0, Math.max(0, MOST_WAITING - waiting.length));
      waiting.push(...room.map((span) => masked(span, (text) => beginning(mask(text), LONGEST))));
      count(spans.length - room.length, 'dropped');
      if (waiting.length >= BATCH) void send();
    },
    async close() {
      clearInterval(timer);
      const late = new Promise<void>((resolve) => setTimeout(resolve, closeMs).unref());
      // One that is under way began before the last spans came.
      await Promise.race([send().then(send), late]);
      count(waiting.splice(0).length, 'dropped');
    },
  };
}

function masked(span: TraceSpan, mask: (text: string) => string): TraceSpan {
  const attributes = Object.entries(span.attributes).map(([name, value]) => [name, typeof value === 'string' ? mask(value) : value]);
  return { ...span, name: mask(span.name), attributes: Object.fromEntries(attributes) };
}

/** Sends one batch; returns how many spans of it the collector has taken. */
type Post = (spans: readonly TraceSpan[]) => Promise<number>;

/** Secrets are looked up for each batch: they may be replaced while the worker runs. */
async function openPost({ url, headers = {} }: TraceSpec, secrets: Secrets): Promise<Post> {
  const [{ JsonTraceSerializer }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/otlp-transformer'),
    import('@opentelemetry/resources'),
  ]);
  const resource = resourceFromAttributes({ 'service.name': 'thermidor' });
  return async (spans) => {
    const given = Object.entries(headers).map(async ([name, value]): Promise<[string, string]> => [name, await secrets.resolve(value)]);
    const sent = new Headers([...(await Promise.all(given)), ['content-type', 'application/json']]);
    const body = Buffer.from(JsonTraceSerializer.serializeRequest(spans.map((span) => readable(span, resource))) ?? []).toString('utf8');
    const proxy = proxyFor(url, process.env, 'internal');
    const response = await sendRequest({ method: 'POST', url, headers: sent, body, proxy }, AbortSignal.timeout(TIMEOUT_MS));
    const answer = await beginningOf(response);
    const { status } = response;
    if (!response.ok) throw new (PASSING.includes(status) ? Error : Refused)(`the collector answers with ${status}`);
    const { partialSuccess } = JsonTraceSerializer.deserializeResponse(answer);
    return spans.length - Math.min(spans.length, Number(partialSuccess?.rejectedSpans) || 0);
  };
}

/** Statuses with which a collector asks for another try later (OTLP). */
const PASSING: readonly number[] = [429, 502, 503, 504];

/** The collector will not take a batch at any time. */
class Refused extends Error {
  override readonly name = 'Refused';
}

/** More than a collector has to say. */
const MOST_ANSWER_BYTES = 64 * 1024;

async function beginningOf({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    sizeBytes += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (sizeBytes > MOST_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** Values of the library's enums: spans of work within a process, that were sampled; what failed. */
const [INTERNAL, SAMPLED, UNSET, ERROR] = [0, 1, 0, 2];

function readable(span: TraceSpan, resource: ReadableSpan['resource']): ReadableSpan {
  const context = (spanId: string, traceId = span.traceId) => ({ traceId, spanId, traceFlags: SAMPLED });
  return {
    name: span.name,
    kind: INTERNAL,
    spanContext: () => context(span.spanId),
    ...(span.parentId === undefined ? {} : { parentSpanContext: context(span.parentId) }),
    startTime: timeOf(span.startMs),
    endTime: timeOf(span.endMs),
    duration: timeOf(span.endMs - span.startMs),
    status: span.failed === undefined ? { code: UNSET } : { code: ERROR, message: span.failed },
    attributes: span.attributes,
    links: (span.links ?? []).map(({ traceId, spanId }) => ({ context: context(spanId, traceId) })),
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'thermidor' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Seconds and nanoseconds. */
function timeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
