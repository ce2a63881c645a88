import { IR_VERSION } from '../plan';
import { QUEUE_VERSION } from '../queue/ticket';
import { RUN_VERSION } from './run-activities';

/**
 * Whether this program may work on a run or a merge queue, which are the only workflows: schedules start runs, and notices are activities.
 * A workflow that a later version has begun is left to workers of that version, because this one would behave differently.
 */
export interface VersionsOfRun {
  /** `RUN_VERSION` of the program that opened it. */
  version?: number | undefined;
  /** The version of its plan. */
  irVersion?: unknown;
}

/** What a newer worker needs, in words; undefined if this one is new enough. */
export function whyTooOld({ version = 1, irVersion }: VersionsOfRun): string | undefined {
  const needs =
    version > RUN_VERSION
      ? `of version ${version}; this one has version ${RUN_VERSION}`
      : typeof irVersion === 'number' && irVersion > IR_VERSION
        ? `whose language has version ${irVersion}; that of this one has version ${IR_VERSION}`
        : undefined;
  return needs === undefined ? undefined : `the run ${NEEDS_NEWER} ${needs}`;
}

/** What a newer worker of a merge queue needs. @param version of the program that worked on it last, as anybody may have typed it */
export function whyTooOldForQueue(version: unknown): string | undefined {
  if (typeof version !== 'number' || version <= QUEUE_VERSION) return undefined;
  return `the queue ${NEEDS_NEWER} whose merge queues have version ${version}; those of this one have version ${QUEUE_VERSION}`;
}

/** The sentence's text for a run or a queue, for a person who finds it in a history. */
export const NEEDS_NEWER = 'needs a worker';

/**
 * In workflow code this does not fail the workflow: the workflow task fails, which the server gives to another worker, and again to any
 * after growing pauses.
 */
export class WorkerTooOld extends Error {
  override readonly name = 'WorkerTooOld';
}
