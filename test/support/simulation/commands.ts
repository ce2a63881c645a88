import type { ActivityName } from '../../../plan/run/contract';
import type { FailedWork, FailureCode } from '../../../plan/run/failure';
import type { RunInput } from '../../../plan/run/run-input';
import type { RunMemo } from '../../../plan/run/run-memo';
import type { RunResult } from '../../../plan/run/run-result';
import type { Json } from '../../../plan/text/json';
import type { ActivityOptions, ChildStart } from '../../../workflows/run-context';

/**
 * The happenings that come into an execution, and the commands that come out: the part of a workflow's history that the interpreter makes.
 */

export type Happening =
  | { kind: 'settled'; seq: number; outcome: Outcome }
  | { kind: 'signal'; name: string; payload: unknown }
  | { kind: 'update'; id: number; name: string; payload: unknown }
  | { kind: 'cancel' };

/** The end of an activity, a timer, a signal to another run or the start of a child. Values are JSON text, so nothing is shared. */
export type Outcome =
  | { kind: 'value'; json: string }
  | { kind: 'failure'; code: FailureCode; message: string; details?: Json; work?: FailedWork }
  | { kind: 'cancelled' };

export type Command =
  | { kind: 'activity'; seq: number; name: ActivityName; input: string; options: ActivityOptions }
  | { kind: 'timer'; seq: number; ms: number }
  | { kind: 'child'; seq: number; closedSeq: number; child: ChildStart }
  | { kind: 'signal'; seq: number; workflowId: string; name: string; payload: string }
  | { kind: 'cancel'; seq: number }
  | { kind: 'cancelChild'; workflowId: string }
  | { kind: 'upsert'; what: string }
  | { kind: 'continue'; input: RunInput; memo: Pick<RunMemo, 'startedAt'> }
  | { kind: 'end'; end: RunEnd };

export type RunEnd =
  | { kind: 'result'; result: RunResult }
  | { kind: 'failed'; code: FailureCode; message: string }
  | { kind: 'cancelled' }
  /** The workflow task would fail at every attempt. */
  | { kind: 'bug'; error: unknown };

/** Happenings that are delivered together, and the commands that follow from them. */
export interface Activation {
  now: number;
  happenings: Happening[];
  commands: Command[];
}

export const DONE: Outcome = { kind: 'value', json: 'null' };

/** A command as text. Two executions with the same input must have equal texts. */
export function describe(command: Command): string {
  return JSON.stringify(command, (key, value: unknown) => (key === 'error' ? String(value) : value));
}
