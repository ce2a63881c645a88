import type { ProblemCode } from './client-problem';

/**
 * What each status of the gRPC protocol means for our requests, if the caller knows nothing better. `late`: no answer within the time
 * limit. `retried`: the request itself is repeated within its limit (`grpc-retries.ts`) before this is reported. `passes`: asking again
 * later may succeed, so a caller that can wait asks again.
 */
export const GRPC_STATUSES = [
  { code: 0, name: 'OK', means: 'server.failed', retried: false, passes: true },
  // A server that cancels at the deadline is as late as one that lets it pass.
  { code: 1, name: 'CANCELLED', means: 'late', retried: false, passes: true },
  { code: 2, name: 'UNKNOWN', means: 'server.failed', retried: true, passes: true },
  { code: 3, name: 'INVALID_ARGUMENT', means: 'server.refused', retried: false, passes: false },
  { code: 4, name: 'DEADLINE_EXCEEDED', means: 'late', retried: false, passes: true },
  { code: 5, name: 'NOT_FOUND', means: 'server.refused', retried: false, passes: false },
  { code: 6, name: 'ALREADY_EXISTS', means: 'server.refused', retried: false, passes: false },
  { code: 7, name: 'PERMISSION_DENIED', means: 'server.refused', retried: false, passes: false },
  { code: 8, name: 'RESOURCE_EXHAUSTED', means: 'server.refused', retried: true, passes: true },
  { code: 9, name: 'FAILED_PRECONDITION', means: 'server.refused', retried: false, passes: false },
  { code: 10, name: 'ABORTED', means: 'server.failed', retried: true, passes: true },
  { code: 11, name: 'OUT_OF_RANGE', means: 'server.refused', retried: true, passes: false },
  { code: 12, name: 'UNIMPLEMENTED', means: 'server.refused', retried: false, passes: false },
  { code: 13, name: 'INTERNAL', means: 'server.failed', retried: false, passes: true },
  { code: 14, name: 'UNAVAILABLE', means: 'server.unreachable', retried: true, passes: true },
  { code: 15, name: 'DATA_LOSS', means: 'server.failed', retried: true, passes: true },
  { code: 16, name: 'UNAUTHENTICATED', means: 'server.refused', retried: false, passes: false },
] as const satisfies readonly GrpcStatus[];

export interface GrpcStatus {
  code: number;
  name: string;
  means: Extract<ProblemCode, `server.${string}`> | 'late';
  retried: boolean;
  passes: boolean;
}

export type GrpcStatusName = (typeof GRPC_STATUSES)[number]['name'];

const BY_CODE: ReadonlyMap<number, GrpcStatus & { name: GrpcStatusName }> = new Map(GRPC_STATUSES.map((status) => [status.code, status]));

/** A number that the protocol does not have counts as UNKNOWN, as the protocol asks. */
export function grpcStatus(code: number): GrpcStatus & { name: GrpcStatusName } {
  return BY_CODE.get(code) ?? GRPC_STATUSES[2];
}
