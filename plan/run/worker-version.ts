import { IR_VERSION } from '../plan';
import { QUEUE_VERSION } from '../queue/ticket';
import { RUN_VERSION } from './run-activities';

/**
 * Whether this program may work on a run or a merge queue, which are all workflows that there are: schedules start runs, and notices are activities. What a later
 * version has begun is left to workers of that version: this one could only do it otherwise.
 */
export interface VersionsOfRun {
  /** `RUN_VERSION` of the program that opened it. */
  version?: number | undefined;
  /** The version of its plan. */
  irVersion?: unknown;
}

/** What a newer worker has to have, in words; undefined where this one will do. */
export function whyTooOld({ version = 1, irVersion }: VersionsOfRun): string | undefined {
  const needs =
    version > RUN_VERSION
      ? `of version ${version}; this one has version ${RUN_VERSION}`
      : typeof irVersion === 'number' && irVersion > IR_VERSION
        ? `whose language has version ${irVersion}; that of this one has version ${IR_VERSION}`
        : undefined;
  return needs === undefined ? undefined : `the run ${NEEDS_NEWER} ${needs}`;
}

/** The same for a merge queue. @param version of the program that worked on it last, as anybody may have typed it */
export function whyTooOldForQueue(version: unknown): string | undefined {
  if (typeof version !== 'number' || version <= QUEUE_VERSION) return undefined;
  return `the queue ${NEEDS_NEWER} whose merge queues have version ${version}; those of this one have version ${QUEUE_VERSION}`;
}

/** What the sentence says of a run or a queue, for who finds it in a history. */
export const NEEDS_NEWER = 'needs a worker';

/**
 * In workflow code it is no failure of the workflow: the workflow task fails, which the server hands to another worker, and again to any after
 * pauses that grow.
 */
export class WorkerTooOld extends Error {
  override readonly name = 'WorkerTooOld';
}
