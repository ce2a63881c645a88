import type { FailureCode } from '../../plan/run/failure';

/** How a run ends, or that it continues in a fresh execution. */
export type EndRequest = RunEnding | { kind: 'continue' };

export type RunEnding =
  | { kind: 'completed' }
  | { kind: 'rejected'; reason: string; step?: string }
  /** `reported`: the step that failed first, a child, has reported it. */
  | { kind: 'failed'; code: FailureCode; message: string; step?: string; reported?: true }
  | { kind: 'cancelled'; reason?: string };
