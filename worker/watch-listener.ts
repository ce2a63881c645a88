import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import type { Metrics } from '../activities/metrics';
import type { NamespaceNumbers } from '../plan/run/namespace-numbers';
import type { WatchSpec } from '../plan/run/services';
import { countMetrics } from './metrics';
import { namespaceGauges } from './namespace-gauges';
import { type SdkMetrics, takeSdkMetrics } from './sdk-metrics';

/** Serves monitoring over HTTP: `/metrics` for Prometheus, `/healthz` and `/readyz`. */
export interface WatchListener {
  readonly url: string;
  metrics: Metrics;
  /** What the runtime of this process says in numbers. */
  sdk: SdkMetrics;
  /** The numbers of all runs, if this process counts for all; else nothing. */
  reportNamespace(numbers: NamespaceNumbers | undefined): void;
  /** What keeps the worker from taking work. While there is something, `/readyz` answers 503 and says it. At first the worker starts. */
  report: ReportHealth;
  close(): Promise<void>;
}

/** What a worker needs to take work: itself, its server, its store. */
export type HealthOf = 'worker' | 'server' | 'store';
/** @param problem one line for everybody, without secrets. Absent: there is none */
export type ReportHealth = (of: HealthOf, problem?: string) => void;

const LOCAL = '127.0.0.1';
const REQUEST_LIMIT_MS = 10_000;
const MOST_CONNECTIONS = 64;

/** Rejects with the system's error if the port is not available. @param spec.host @default 127.0.0.1 */
export async function watchListener({ host = LOCAL, port }: WatchSpec): Promise<WatchListener> {
  const { metrics, registry } = countMetrics();
  const sdk = takeSdkMetrics(registry);
  const problems = new Map<HealthOf, string>([['worker', 'the worker starts']]);
  const server = createServer({ requestTimeout: REQUEST_LIMIT_MS, headersTimeout: REQUEST_LIMIT_MS }, (request, response) => {
    const send = (status: number, text: string, type = 'text/plain; charset=utf-8') => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(405, 'GET or HEAD\n');
    switch ((request.url ?? '').split('?', 1)[0]) {
      case '/healthz':
        return send(200, 'ok\n');
      case '/readyz':
        return problems.size === 0 ? send(200, 'ok\n') : send(503, `${[...problems.values()].join('\n')}\n`);
      case '/metrics':
        sdk.take();
        return void expose(registry).then(({ status, text, type }) => send(status, text, type));
      default:
        return send(404, 'there are /metrics, /healthz and /readyz\n');
    }
  });
  server.maxConnections = MOST_CONNECTIONS;
  const taken = await listening(server, host, port);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    metrics,
    sdk,
    reportNamespace: namespaceGauges(registry),
    report(of, problem) {
      if (problem === undefined) problems.delete(of);
      else problems.set(of, problem);
    },
    close: () =>
      new Promise((resolve) => {
        sdk.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function expose(registry: Registry): Promise<{ status: number; text: string; type?: string }> {
  try {
    return { status: 200, text: await registry.metrics(), type: registry.contentType };
  } catch (error) {
    return { status: 500, text: `${error instanceof Error ? error.message : String(error)}\n` };
  }
}

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
