import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A span as OTLP writes it in JSON. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code: number; message?: string };
  links: { traceId: string; spanId: string }[];
}

interface Posted {
  resourceSpans: { resource: { attributes: ReceivedSpan['attributes'] }; scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

/** A collector that speaks OTLP/HTTP with JSON. */
export interface TraceReceiver {
  url: string;
  /** All that it has taken. */
  readonly spans: ReceivedSpan[];
  readonly requests: { path: string; headers: IncomingHttpHeaders; body: string }[];
  close(): Promise<void>;
}

/** @param answer @default takes everything */
export async function traceReceiver(answer?: (response: ServerResponse) => void): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: TraceReceiver['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = Buffer.concat(chunks);
      const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent).toString('utf8');
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      if (answer) return answer(response);
      const posted = JSON.parse(body) as Posted;
      spans.push(...posted.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    spans,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
