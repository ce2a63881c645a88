/**
 * How an activity knows that a call of it comes from our own workflow code: anybody who reaches the server may call any activity by hand,
 * or from a workflow of their own. The workflow marks the call, the worker that runs the workflow seals it, and the worker that takes it
 * compares.
 */

/** All that a seal binds a call to. */
export interface MarkedCall {
  namespace: string;
  workflowId: string;
  /** Run id of the execution. */
  execution: string;
  activityId: string;
  activity: string;
}

/** The part of a mark that only the workflow knows; it is in the metadata of the input, under `CALL_MARK`. */
export type CallMark = Pick<MarkedCall, 'execution' | 'activity'>;

/** Workflow code cannot seal, because the key stays outside of it. An input with this mark is sealed on its way out. */
export const CALL_MARK = 'call';

/** The last key of a sealed input. For an empty input the seal is all that is sent, as bytes. */
export const CALL_SEAL = 'seal';

/** The text that is sealed. It begins with its purpose, so that no seal of a decision or of a start counts as one of a call. */
export function callText({ namespace, workflowId, execution, activityId, activity }: MarkedCall, inputJson: string): string {
  return JSON.stringify(['thermidor-call-1', namespace, workflowId, execution, activityId, activity, inputJson]);
}

export function readCallMark(text: string): CallMark | undefined {
  const [execution, activity]: unknown[] = JSON.parse(text);
  return typeof execution === 'string' && typeof activity === 'string' ? { execution, activity } : undefined;
}

export function callMark({ execution, activity }: CallMark): string {
  return JSON.stringify([execution, activity]);
}
