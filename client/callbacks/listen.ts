import { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { HOOK_RATE } from '../../plan/web-hook';
import type { RefusedAnswers } from '../../records/refused-answers';
import { ClientProblem } from '../client-problem';
import { Turns } from '../hooks/turns';
import { WarnOnce } from '../hooks/warn-once';
import { callbackApp } from './app';
import { type CallbackContext, type CallbackPorts, type CallbackSettings, REQUEST_LIMIT_MS } from './callback-context';
import type { CallbackWays } from './chat-callback';
import { RateLimit } from './rate-limit';
import { ReplayGuard } from './replay-guard';

/** A listener that accepts answers until it is closed. */
export interface CallbackListener {
  /** `http://host:port` */
  readonly url: string;
  readonly port: number;
  /** Stops accepting, and waits for the accepted answers. Safe to call twice. */
  close(): Promise<void>;
}

/** What a burst of deliveries asks of the Temporal server. */
const STARTS_AT_ONCE = 16;
const MOST_CONNECTIONS = 1_000;
const MOST_HEADERS_BYTES = 16 * 1024;

/** Starts the listener. Fails with `callbacks.unavailable`. */
export async function listenForCallbacks(
  settings: CallbackSettings,
  ports: CallbackPorts,
  refused: RefusedAnswers,
  ways: CallbackWays,
): Promise<CallbackListener> {
  const underWay = new Set<Promise<void>>();
  const context: CallbackContext = {
    settings,
    ports,
    limit: new RateLimit(settings.rate, ports.now),
    hookLimit: new RateLimit(HOOK_RATE.usual, ports.now),
    turns: new Turns(STARTS_AT_ONCE),
    hookWarnings: new WarnOnce(ports.warn),
    replays: new ReplayGuard(ports.now),
    refused,
    later(work) {
      const watched: Promise<void> = work
        .then(() => undefined)
        .catch((error: unknown) => ports.warn(`work after an answer failed: ${error instanceof Error ? error.message : String(error)}`))
        .finally(() => underWay.delete(watched));
      underWay.add(watched);
    },
  };
  const server = httpServer(context, ways);
  const port = await listening(server, settings);
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    await closed(server);
    await Promise.all(underWay);
    await refused.written();
  };
  return {
    url: `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`,
    port,
    close: () => {
      ending ??= end();
      return ending;
    },
  };
}

function httpServer(context: CallbackContext, ways: CallbackWays): Server {
  const limitMs = context.settings.requestLimitMs ?? REQUEST_LIMIT_MS;
  const server = createAdaptorServer({
    fetch: callbackApp(context, ways).fetch,
    overrideGlobalObjects: false,
    serverOptions: {
      requestTimeout: limitMs,
      headersTimeout: limitMs,
      keepAliveTimeout: limitMs,
      connectionsCheckingInterval: Math.max(50, Math.min(1_000, limitMs)),
      maxHeaderSize: MOST_HEADERS_BYTES,
    },
  });
  if (!(server instanceof Server)) throw new TypeError('the listener speaks plain HTTP');
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

function listening(server: Server, { host, port }: CallbackSettings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(unavailable(error, host, port)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function unavailable(error: NodeJS.ErrnoException, host: string, port: number): ClientProblem {
  const why = error.code === 'EADDRINUSE' ? 'is already taken' : `cannot be used (${error.code ?? error.message})`;
  return new ClientProblem('callbacks.unavailable', `answers from chats and links cannot be taken: port ${port} of ${host} ${why}`, {
    hint: 'another `thermidor up` or `thermidor worker --role callbacks` may have it; choose one with --callbacks-port',
    cause: error,
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeIdleConnections();
  });
}
