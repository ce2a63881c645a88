import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import {
  DefaultFailureConverter,
  defaultPayloadConverter,
  type LoadedDataConverter,
  type Payload,
  type PayloadConverter,
} from '@temporalio/common';
import { defined } from '../plan/defined';
import { TASK_QUEUE } from '../plan/run/contract';
import { isJsonPayload, readJsonPayload, withNumbers } from '../plan/run/json-payload';
import { KeyRing } from '../records/sealing/key-ring';
import { payloadCodec } from '../records/sealing/payload-codec';
import { ClientProblem } from './client-problem';
import type { EndedRuns } from './ended-runs';
import { retriesUntilClosed } from './grpc-retries';
import { asProblem } from './server-error';
import { ofTls } from './tls-trouble';

/**
 * A connection to a Temporal server as Thermidor uses it.
 *
 * Invariant: every request goes through `call`, so that none waits forever: a query of a run without a worker, or a
 * request to a server that went away, ends as a `ClientProblem` that says so.
 */
export interface ThermidorClient {
  readonly temporal: Client;
  readonly connection: Connection;
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  /** The server runs only while a command of ours does. */
  readonly embedded: boolean;
  /** What the store has of runs that the server has forgotten. Absent: nothing is known of them. */
  readonly ended?: EndedRuns;
  /** Makes requests under one time limit. Fails with a `ClientProblem` if the server or a worker is the cause. */
  call<T>(request: () => Promise<T>, limitMs?: number): Promise<T>;
  close(): Promise<void>;
}

export interface ServerSettings {
  /** `host:port` */
  address: string;
  namespace: string;
  /** @default 'thermidor' */
  taskQueue?: string;
  embedded?: boolean;
  apiKey?: string;
  tls?: NonNullable<ConnectionOptions['tls']>;
  ended?: EndedRuns;
  /** What payloads are sealed with. @default nothing is */
  keys?: KeyRing;
}

const CONNECT_LIMIT_MS = 5_000;
/** A query after a worker was killed takes the sticky queue's timeout, then a replay; ten seconds is far beyond both. */
const CALL_LIMIT_MS = 10_000;

/**
 * The client's own proxy variables (`http_proxy`, `grpc_proxy` …) redirect connections to this machine as well. The worker's connection
 * reads none of them.
 */
const DIRECT = { 'grpc.enable_http_proxy': 0 };

/** Fails with `server.unreachable` or `server.refused`. */
export async function connectClient(settings: ServerSettings): Promise<ThermidorClient> {
  const { address, apiKey, tls } = settings;
  const retries = retriesUntilClosed();
  const options: ConnectionOptions = {
    address,
    connectTimeout: CONNECT_LIMIT_MS,
    interceptors: [retries.interceptor],
    channelArgs: DIRECT,
  };
  if (apiKey !== undefined) options.apiKey = apiKey;
  if (tls !== undefined) options.tls = tls;
  const connection = await connect(options, settings);
  return {
    ...clientOver(connection, settings),
    async close() {
      await retries.closed();
      await connection.close();
    },
  };
}

/** A client over an existing connection. */
export function clientOver(connection: Connection, settings: ServerSettings): ThermidorClient {
  const { address, namespace, taskQueue, embedded, ended, keys } = settings;
  return {
    ...defined({ ended }),
    temporal: new Client({ connection, namespace, dataConverter: dataConverter(keys) }),
    connection,
    address,
    namespace,
    taskQueue: taskQueue ?? TASK_QUEUE,
    embedded: embedded === true,
    async call(request, limitMs = CALL_LIMIT_MS) {
      try {
        return await connection.withDeadline(Date.now() + limitMs, request);
      } catch (error) {
        throw asProblem(error, { address, namespace }) ?? error;
      }
    },
    close: () => connection.close(),
  };
}

async function connect(options: ConnectionOptions, settings: ServerSettings): Promise<Connection> {
  try {
    return await Connection.connect(options);
  } catch (cause) {
    const problem = asProblem(cause, settings);
    if (problem?.code === 'server.refused') throw problem;
    const none = new ClientProblem('server.unreachable', `no Temporal server answers at ${options.address}`, {
      hint: settings.embedded
        ? 'the embedded server was started there: try again; its logs are in .thermidor/logs'
        : 'check the address (thermidor doctor shows where it comes from), or leave it out to use an embedded server',
      cause,
    });
    throw settings.embedded ? none : await ofTls(none, settings);
  }
}

const payloadConverter: PayloadConverter = {
  toPayload: (value, context, hint) => withNumbers(defaultPayloadConverter.toPayload(value, context, hint), value),
  fromPayload: <T>(payload: Payload, context?: Parameters<PayloadConverter['fromPayload']>[1]): T =>
    isJsonPayload(payload) ? (readJsonPayload(payload) as T) : defaultPayloadConverter.fromPayload<T>(payload, context),
};

/**
 * The SDK's own, but numbers stay as they were written: its own writes `1.10` as `1.1`. With a key that seals, messages of failures are
 * sealed, too.
 */
export function dataConverter(keys = new KeyRing()): LoadedDataConverter {
  const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: keys.use !== undefined });
  return { payloadConverter, failureConverter, payloadCodecs: [payloadCodec<Payload>(keys)] };
}
