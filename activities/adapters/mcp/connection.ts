import { isJsonObject, type JsonObject } from '../../../plan/text/json';
import { type HttpRequest, httpTransport } from './http-transport';
import type { ServerLimits } from './limits';
import { ProcessTransport } from './process-transport';
import type { Client, McpSdk, Transport } from './sdk';
import type { ProcessRequest } from './server-process';

/** How a server is reached, with every secret resolved. */
export type TransportKind = ({ kind: 'stdio' } & ProcessRequest) | ({ kind: 'http' } & HttpRequest);

/**
 * A server that has introduced itself. Its requests to us, to sample a model, to ask a person, to list our folders, are refused: we
 * announce no capability, so the SDK answers that there is no such method. Its own settings say where it may work.
 */
export interface Connection {
  /** Rejects with the SDK's errors; with the signal's reason if that came first. */
  request(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** Why it cannot be used any more; undefined while it can. */
  lost(): string | undefined;
  /** Settles when nothing of it is left. Never rejects. */
  close(): Promise<void>;
}

const CLIENT = { name: 'thermidor', version: '1' };
/** How long a server over HTTP may take to end its session. */
const FAREWELL_MS = 1000;

/** Rejects with the SDK's errors, and with nothing left of the server then. */
export async function connectServer(
  sdk: McpSdk,
  way: TransportKind,
  { limits, log }: { limits: ServerLimits; log: (message: string) => void },
  signal: AbortSignal,
): Promise<Connection> {
  signal.throwIfAborted();
  const client = new sdk.Client(CLIENT, { capabilities: {} });
  client.onerror = ({ message }) => log(message);
  const opened = way.kind === 'stdio' ? openProcess(sdk, way, limits) : openHttp(sdk, way, limits);
  let lost: string | undefined;
  client.onclose = () => {
    lost = opened.closedBy() ?? 'the connection was closed';
  };
  const close = async () => {
    await opened.close();
    // The transport is closed: its client's errors change nothing.
    await client.close().catch(() => undefined);
  };
  try {
    await withSignal(signal, (own) => client.connect(opened.transport, { signal: own, timeout: limits.startMs }));
  } catch (error) {
    const why = opened.closedBy();
    await close();
    signal.throwIfAborted();
    throw why === undefined ? error : new Error(why, { cause: error });
  }
  return {
    lost: () => lost,
    close,
    request: async (method, params, within) => {
      try {
        return await withSignal(within, (own) => send(sdk, client, { method, params }, limits, own));
      } catch (error) {
        if (isSessionGone(sdk, error)) lost = 'the server has forgotten the session';
        throw error;
      }
    },
  };
}

async function send(
  { AnyResult }: McpSdk,
  client: Client,
  request: { method: string; params: JsonObject },
  { silentMs, callMs }: ServerLimits,
  signal: AbortSignal,
): Promise<JsonObject> {
  const heed = { signal, timeout: silentMs, maxTotalTimeout: callMs, resetTimeoutOnProgress: true, onprogress: () => undefined };
  const result: unknown = await client.request(request, AnyResult, heed);
  return isJsonObject(result) ? result : {};
}

interface Opened {
  transport: Transport;
  closedBy(): string | undefined;
  close(): Promise<void>;
}

function openProcess(sdk: McpSdk, way: ProcessRequest, limits: ServerLimits): Opened {
  const transport = new ProcessTransport(sdk, way, limits);
  return { transport, closedBy: () => transport.closedBy, close: () => transport.close() };
}

function openHttp(sdk: McpSdk, way: HttpRequest, limits: ServerLimits): Opened {
  let closedBy: string | undefined;
  const http = httpTransport(sdk, way, limits, (why) => {
    closedBy ??= why;
    void http.close();
  });
  const farewell = () => {
    const enough = new Promise<void>((resolve) => setTimeout(resolve, FAREWELL_MS).unref());
    // A courtesy: a server that ignores it ends the session by itself.
    return Promise.race([http.terminateSession().catch(() => undefined), enough]);
  };
  return {
    // The SDK's class declares `sessionId` as possibly undefined, and its interface as optional.
    transport: http as Transport,
    closedBy: () => closedBy,
    close: async () => {
      await farewell();
      await http.close();
    },
  };
}

/** A server over HTTP answers 404 for a session that it no longer knows. */
function isSessionGone({ StreamableHTTPError }: McpSdk, error: unknown): boolean {
  return error instanceof StreamableHTTPError && error.code === 404;
}

/** The SDK listens to a signal forever, and also cancels finished requests: each request gets a signal of its own. */
async function withSignal<T>(signal: AbortSignal, work: (own: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await work(own.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
