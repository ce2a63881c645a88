import { ScheduleNotFoundError, WorkflowNotFoundError } from '@temporalio/client';
import { defined } from '../plan/defined';
import { ClientProblem } from './client-problem';
import { causes, connectionLost, type Grpc, grpcCause, isNoNamespace, isServiceError, nameOf } from './error-cause';
import { type GrpcStatusName, grpcStatus } from './grpc-status';

export interface ServerAddress {
  address: string;
  namespace: string;
}

/**
 * The problem behind an error of the Temporal client or worker; undefined if the error is not the server's or the network's. Then it is a
 * bug, or has a meaning of its own (a missing run, a refused update), which its caller knows how to report.
 *
 * Invariant: every gRPC status and every failure of a connection is a problem with a code (`grpc-status.ts`).
 */
export function asProblem(error: unknown, at: ServerAddress): ClientProblem | undefined {
  if (error instanceof ClientProblem) return error;
  if (nameOf(error) === 'NamespaceNotFoundError' || causes(error).some(isNoNamespace)) return noNamespace(at, error);
  if (namesNone(error)) return ofStatus({ code: NOT_FOUND, text: error.message }, at, error);
  if (OF_A_RUN.has(nameOf(error))) return undefined;
  const grpc = grpcCause(error);
  if (grpc) return ofStatus(grpc, at, error);
  const lost = connectionLost(error);
  if (lost !== undefined) return unreachable(at, lost, error);
  return isServiceError(error) ? failed(at, error.message, error) : undefined;
}

/** Errors of the SDK that say something of a run or a schedule; some have the status that they come from as their cause. */
const OF_A_RUN: ReadonlySet<string> = new Set([
  'WorkflowNotFoundError',
  'WorkflowFailedError',
  'WorkflowExecutionAlreadyStartedError',
  'WorkflowUpdateFailedError',
  'WorkflowUpdateRPCTimeoutOrCancelledError',
  'QueryNotRegisteredError',
  'QueryRejectedError',
  'ScheduleNotFoundError',
  'ScheduleAlreadyRunning',
]);

const NOT_FOUND = 5;

/** A missing object of a request that names no run and no schedule; the SDK still reports one of those. */
function namesNone(error: unknown): error is WorkflowNotFoundError | ScheduleNotFoundError {
  if (error instanceof WorkflowNotFoundError) return error.workflowId === '';
  return error instanceof ScheduleNotFoundError && error.scheduleId === '';
}

function ofStatus({ code, text }: Grpc, at: ServerAddress, cause: unknown): ClientProblem {
  const { name, means } = grpcStatus(code);
  if (name === 'FAILED_PRECONDITION' && NOBODY.test(text)) return workerMissing(cause);
  if (name === 'NOT_FOUND' && /namespace/i.test(text)) return noNamespace(at, cause);
  switch (means) {
    case 'late':
      return unreachable(at, 'there was no answer within the time limit', cause);
    case 'server.unreachable':
      return unreachable(at, text, cause);
    case 'server.refused': {
      const { what, hint } = REFUSALS[name] ?? { what: `rejected a request (${name})` };
      return new ClientProblem('server.refused', `the server at ${at.address} ${what.replace('NAMESPACE', `"${at.namespace}"`)}: ${text}`, {
        ...defined({ hint }),
        cause,
      });
    }
    default:
      return failed(at, `${name}: ${text}`, cause);
  }
}

const ACCESS = { what: 'refused access to namespace NAMESPACE', hint: 'check TEMPORAL_API_KEY, the TLS settings and the namespace' };
const REFUSALS: Partial<Record<GrpcStatusName, { what: string; hint?: string }>> = {
  PERMISSION_DENIED: ACCESS,
  UNAUTHENTICATED: ACCESS,
  RESOURCE_EXHAUSTED: { what: 'is limiting requests', hint: 'try again in a moment' },
  UNIMPLEMENTED: {
    what: 'does not support a request',
    hint: 'check that it is a Temporal server of a current version; `thermidor doctor` shows its address',
  },
};

function noNamespace({ address, namespace }: ServerAddress, cause: unknown): ClientProblem {
  return new ClientProblem('server.refused', `the server at ${address} has no namespace "${namespace}"`, {
    hint: `check it, or create it: temporal operator namespace create --namespace ${namespace} --address ${address}`,
    cause,
  });
}

function unreachable({ address }: ServerAddress, why: string, cause: unknown): ClientProblem {
  return new ClientProblem(
    'server.unreachable',
    `the Temporal server at ${address} does not answer${why === '' ? '' : `: ${oneLine(why)}`}`,
    {
      hint: 'check that it runs, and the address: `thermidor doctor` shows where it comes from',
      cause,
    },
  );
}

function failed({ address }: ServerAddress, why: string, cause: unknown): ClientProblem {
  return new ClientProblem('server.failed', `the Temporal server at ${address} could not answer: ${oneLine(why)}`, {
    hint: 'try again in a moment; if this persists, the server’s log says why',
    cause,
  });
}

const QUOTED = 300;

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, QUOTED);
}

/** Nobody polls; or workers were lost with the run's task several times in a row, and nobody has taken the next. */
const NOBODY = /poller|worker|workflow task in failed state/i;

function workerMissing(cause: unknown): ClientProblem {
  return new ClientProblem('worker.missing', 'no worker answered in time', {
    hint: 'start one with `thermidor worker` or `thermidor up`; `thermidor doctor` lists pollers; if a worker polls, its log has the error',
    cause,
  });
}

/** The error of a question that a run's worker answers: if no answer came in time, the worker is missing. */
export function ofWorker(error: unknown): unknown {
  return isDeadlineExceeded(error) ? workerMissing(error) : error;
}

/** No answer came within the time limit of the request. */
export function isDeadlineExceeded(error: unknown): boolean {
  const grpc = grpcCause(error);
  return grpc !== undefined && grpcStatus(grpc.code).means === 'late';
}

/** Whether asking again later may do better: the server or a worker is away or overloaded, and nothing was refused for good. */
export function isTransient(error: unknown): error is ClientProblem {
  if (!(error instanceof ClientProblem)) return false;
  if (error.code === 'worker.missing' || error.code === 'server.unreachable' || error.code === 'server.failed') return true;
  const grpc = error.code === 'server.refused' ? grpcCause(error) : undefined;
  return grpc !== undefined && grpcStatus(grpc.code).passes;
}
