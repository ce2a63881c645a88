import { errorCode } from '../../../plan/error-code';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { JsonObject } from '../../../plan/text/json';
import type { ToolServer } from '../../ports';
import { type Connection, connectServer, type TransportKind } from './connection';
import type { ServerLimits } from './limits';
import { cutResult, type ResultText, resultText } from './result-text';
import { loadMcpSdk, type McpSdk } from './sdk';
import { listTools } from './tool-list';

export interface ServerOptions {
  name: string;
  way: TransportKind;
  limits: ServerLimits;
  log: (message: string) => void;
  /** The tools that are wanted. Absent: all. */
  only?: ReadonlySet<string>;
  /** Removes secrets from the server's words. */
  mask(text: string): string;
}

/**
 * One server for one try. Invariants: 1. whatever it says or does, a call ends with a result or with `tool.failed` within `limits.callMs`,
 * or with the signal; 2. the tools it reported when it was opened are valid for the whole try; 3. the first call after its end starts it
 * again, `limits.restarts` times.
 */
export async function openServer(options: ServerOptions, signal: AbortSignal): Promise<ToolServer> {
  const { name, way, limits, log } = options;
  const sdk = await loadMcpSdk();
  const start = (within: AbortSignal) => connectServer(sdk, way, options, within);
  let connection = await start(signal).catch((error: unknown) => fail(options, signal, 'cannot be used', reasonOf(sdk, error, limits)));
  const { tools, names, leftOut } = await listTools(name, connection, options, signal).catch(async (error: unknown) => {
    const why = connection.lost() ?? reasonOf(sdk, error, limits);
    await connection.close();
    return fail(options, signal, 'does not list its tools', why);
  });
  let restarts = 0;

  async function connected(within: AbortSignal): Promise<Connection> {
    if (connection.lost() === undefined) return connection;
    if (restarts >= limits.restarts)
      return fail(options, within, `was started ${restarts + 1} times`, `${connection.lost()}; it is not started again`);
    restarts += 1;
    log('it is started again');
    await connection.close();
    connection = await start(within).catch((error: unknown) =>
      fail(options, within, 'cannot be started again', reasonOf(sdk, error, limits)),
    );
    return connection;
  }

  return {
    tools: [...tools.values()].map(({ spec }) => spec),
    names,
    leftOut: leftOut.map(options.mask),
    async call(tool, args, within) {
      const listed = tools.get(tool);
      if (!listed) return fail(options, within, `has no tool "${tool}"`, `it has: ${[...tools.keys()].join(', ') || 'none'}`);
      const current = await connected(within);
      const result = await ask(sdk, options, current, { name: tool, arguments: args }, within);
      if ('text' in result) return result;
      try {
        return resultText(result.result, listed.promised, { mostCharacters: limits.resultCharacters, mask: options.mask });
      } catch (error) {
        return fail(options, within, 'broke its promise', error instanceof Error ? error.message : String(error));
      }
    },
    close: () => connection.close(),
  };
}

/** The server's answer, or its refusal. */
async function ask(
  sdk: McpSdk,
  options: ServerOptions,
  connection: Connection,
  params: JsonObject,
  signal: AbortSignal,
): Promise<{ result: JsonObject } | (ResultText & { failed: true })> {
  try {
    return { result: await connection.request('tools/call', params, signal) };
  } catch (error) {
    signal.throwIfAborted();
    const lost = connection.lost();
    if (lost !== undefined) {
      return fail(
        options,
        signal,
        'ended in the middle of the call',
        `${lost}. Whether the call was carried out is not known; the next call starts it again`,
      );
    }
    if (error instanceof sdk.McpError && !OURS.includes(error.code)) {
      return { text: cutResult(options.mask(error.message), options.limits.resultCharacters), failed: true };
    }
    return fail(options, signal, 'gave no result', reasonOf(sdk, error, options.limits));
  }
}

/** Codes of errors that the SDK makes up itself: the connection was closed, the time is over. */
const OURS: readonly number[] = [-32_000, -32_001];

const MOST_REASON = 1000;

function reasonOf({ McpError, ErrorCode, StreamableHTTPError }: McpSdk, error: unknown, { silentMs, callMs }: ServerLimits): string {
  if (error instanceof ThermidorFailure) return error.message;
  if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
    return `it gave no answer within ${silentMs} ms, nor ${callMs} ms in all`;
  if (error instanceof StreamableHTTPError) return `${error.message}${httpHint(error.code)}`;
  // Checked by shape: what `fetch` throws may come from another realm, and has its reason only in its cause.
  const { message, cause } = Object(error) as { message?: unknown; cause?: unknown };
  const why = errorCode(cause) ?? (cause instanceof Error ? cause.message : undefined);
  return `${typeof message === 'string' ? message : String(error)}${why === undefined ? '' : ` (${why})`}`;
}

function httpHint(code: number | undefined): string {
  if (code === 401 || code === 403) return ' (does the server need a header of yours, or another key?)';
  if (code === 404 || code === 405 || code === -1) return ' (is "url" the address of the server itself, such as https://example.org/mcp?)';
  return '';
}

function fail({ name, mask }: ServerOptions, signal: AbortSignal, what: string, why: string): never {
  signal.throwIfAborted();
  throw new ThermidorFailure('tool.failed', `tool server "${name}" ${what}: ${mask(why).slice(0, MOST_REASON)}`, { server: name });
}
