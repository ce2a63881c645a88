import { isGrpcServiceError } from '@temporalio/client';

/** The root of an error of Temporal's client or worker: a status of the protocol, or a connection that failed. Pure. */

export interface Grpc {
  code: number;
  text: string;
}

/** The gRPC error in the chain of causes, with its status code. */
export function grpcCause(error: unknown): Grpc | undefined {
  for (const here of causes(error)) {
    // A connection refused below the protocol has the same shape, with the system's word as its code.
    if (isGrpcServiceError(here) && Number.isInteger(Number(here.code))) return { code: Number(here.code), text: here.details };
    const refused = here.name === 'TransportError' && REFUSED_AT_START.find(({ said }) => said.test(here.message));
    if (refused) return { code: refused.code, text: saidWithin(here.message) };
  }
  return undefined;
}

/** The worker's connection names a refusal only by the words of its library. */
const REFUSED_AT_START = [
  { code: 7, said: /caller does not have permission|code: PermissionDenied/ },
  { code: 16, said: /not have valid authentication credentials|code: Unauthenticated/ },
] as const;

/** Whether the server has no such workflow, or none that is open. */
export function isNotFound(error: unknown): boolean {
  return grpcCause(error)?.code === 5;
}

/** Codes of the network alone: a full disk or a missing file comes with a code of the system, too. */
const NETWORK_CODE =
  /^(ECONN[A-Z]+|EPIPE|EPROTO|ETIMEDOUT|ENOTFOUND|EAI_[A-Z]+|EHOST[A-Z]+|ENET[A-Z]+|ERR_(TLS|SSL|HTTP2)_.*|CERT_.*|(DEPTH_ZERO_|UNABLE_TO_|SELF_SIGNED_).*)$/;
/** Words of Temporal's worker, whose errors have no code: the connection could not be made, or it was closed. */
const CONNECTION = /connect|transport|unavailable|resolve|refused|reset|closed|shut ?down|dropped|goaway|timed? ?out/i;

/** The client of the protocol says it in an error of no kind. */
const CLOSED_CHANNEL = 'Channel has been shut down';

/** Why the connection failed, if that is what happened. */
export function connectionLost(error: unknown): string | undefined {
  for (const here of causes(error)) {
    const code: unknown = 'code' in here ? here.code : undefined;
    if (typeof code === 'string' && NETWORK_CODE.test(code)) return here.message || code;
    if (here.name === 'TransportError') return saidWithin(here.message);
    if (here.message === CLOSED_CHANNEL) return here.message;
    if ((here.name === 'IllegalStateError' || isServiceError(here)) && CONNECTION.test(deepest(here).message)) return deepest(here).message;
  }
  return undefined;
}

/** The worker quotes its own errors whole; the innermost message tells what happened. */
function saidWithin(text: string): string {
  return [...text.matchAll(/message: "([^"]+)"/g)].at(-1)?.[1] ?? text;
}

/** The error of a starting worker. */
export function isNoNamespace({ name, message }: Error): boolean {
  return name === 'TransportError' && /^Namespace .* was not found/.test(message) && /NotFound/.test(message);
}

/** Parallel attempts at several addresses hide the cause in an aggregate error. */
export function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let here = error; here instanceof Error && found.length < DEEPEST; here = here.cause) {
    found.push(here);
    if (here instanceof AggregateError) found.push(...here.errors.filter((one) => one instanceof Error));
  }
  return found;
}
const DEEPEST = 5;

function deepest(error: Error): Error {
  return causes(error).at(-1) ?? error;
}

/** The client's, the worker's, and those that the worker gives up with. */
export function isServiceError(error: unknown): error is Error {
  return ['ServiceError', 'UnexpectedError'].includes(nameOf(error));
}

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
