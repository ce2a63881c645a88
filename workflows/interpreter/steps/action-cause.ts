import type { Decision } from '../../../plan/people/gate';
import type { VerdictRecord } from '../../../plan/steps/verdict';
import { unreachable } from '../../../plan/unreachable';
import type { ExhaustedCause, FailureRecord, ReturnedCause } from '../context/attempt-log';

/**
 * Why actions run: a step failed, or came to the end of its rounds, a reviewer asked for a revision, or blocked (or used up its revisions),
 * a person rejected, or nobody decided in time.
 */
export type ActionCause =
  | { kind: 'error'; failure: FailureRecord }
  | ExhaustedCause
  | { kind: 'revise'; verdict: VerdictRecord; reason: string }
  | { kind: 'block'; verdict: VerdictRecord; reason: string }
  | { kind: 'rejected'; decision: Decision }
  | { kind: 'silence'; reason: string }
  | ReturnedCause;

/** One line for people; `step` is its short name. */
export function describeCause(step: string, cause: ActionCause): string {
  switch (cause.kind) {
    case 'error':
      return `step ${step} failed: ${cause.failure.code}: ${cause.failure.message}`;
    case 'exhausted':
      return `step ${cause.message}`;
    case 'revise':
    case 'block':
    case 'silence':
    case 'returned':
      return cause.reason;
    case 'rejected': {
      const { by, comment, via } = cause.decision;
      if (via === 'time-out') return `nobody decided on ${step} in time, which counts as a rejection`;
      return `${step} was rejected by ${by ?? 'somebody without a name'}${comment === undefined ? '' : `: ${comment}`}`;
    }
    default:
      return unreachable(cause);
  }
}
