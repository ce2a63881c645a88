import { isGrpcServiceError } from '@temporalio/client';
import { ClientProblem } from './problem';

/** Numbers of the gRPC protocol. */
const GRPC = {
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/**
 * The problem behind an error of the Temporal client, or undefined where the error means something else (a run that
 * does not exist, a refused update), which its caller knows how to say.
 */
export function asProblem(error: unknown, at: { address: string; namespace: string }): ClientProblem | undefined {
  if (error instanceof ClientProblem) return error;
  const { code, text } = grpcCause(error) ?? {};
  switch (code) {
    case GRPC.deadlineExceeded:
      return workerMissing(error);
    case GRPC.failedPrecondition:
      return NOBODY.test(text ?? '') ? workerMissing(error) : undefined;
    case GRPC.unavailable:
      return new ClientProblem('server.unreachable', `the Temporal server at ${at.address} does not answer`, { cause: error });
    case GRPC.permissionDenied:
    case GRPC.unauthenticated:
      return new ClientProblem('server.refused', `the server at ${at.address} refused access to namespace "${at.namespace}": ${text}`, {
        hint: 'check TEMPORAL_API_KEY, the TLS settings and the namespace',
        cause: error,
      });
    case GRPC.resourceExhausted:
      return new ClientProblem('server.refused', `the server takes no more of these requests at the moment: ${text}`, {
        hint: 'try again in a moment',
        cause: error,
      });
    default:
      return undefined;
  }
}

/** Nobody polls; or whoever did was lost with the run's task several times in a row, and nobody has taken the next. */
const NOBODY = /poller|worker|workflow task in failed state/i;

function workerMissing(cause: unknown): ClientProblem {
  return new ClientProblem('worker.missing', 'no worker answered in time', {
    hint: 'start one with `thermidor worker` or `thermidor up`; `thermidor doctor` shows who polls: where somebody does, its log tells what fails',
    cause,
  });
}

/** The gRPC error in the chain of causes, with its status code. */
export function grpcCause(error: unknown): { code: number; text: string } | undefined {
  for (let here = error, depth = 0; here instanceof Error && depth < 5; here = here.cause, depth++) {
    if (isGrpcServiceError(here)) return { code: Number(here.code), text: here.details };
  }
  return undefined;
}
