import type { Json } from '../text/json';

/**
 * The connection between two runs, a parent and its child. Each side writes its messages into a log of its own ledger and then wakes the
 * other by signal; the other reads that log. Anybody can send the signal, so its content is not believed.
 */

export interface RunRef {
  workflowId: string;
  /** Id of the run's first execution. */
  run: string;
}

/** One line of the log. `by` is the execution that wrote it, `n` counts its lines: together they identify a repeated line. */
export interface RunMessage {
  by: string;
  n: number;
  /** First run id of the run that it is for. Absent: whichever run starts under the workflow id. */
  for?: string;
  says: Json;
}

export interface SendMessagesInput {
  run: string;
  /** Workflow id of the run that it is for. */
  to: string;
  said: RunMessage[];
}

export interface ReadMessagesInput {
  run: string;
  /** The run whose log is read. */
  from: RunRef;
  /** Lines of the log that have been read. */
  after: number;
}

export interface ReadMessages {
  /** The new messages for this run, in order. */
  says: Json[];
  /** Lines of the log that have been read now. */
  next: number;
  /** There are more lines than one answer can hold. */
  more?: true;
}
