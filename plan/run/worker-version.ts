import { IR_VERSION } from '../plan';
import { RUN_VERSION } from './run-activities';

/**
 * Whether this program may work on a run. What a later version has begun is left to workers of that version: this one could only do it
 * otherwise.
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
  return needs === undefined ? undefined : `${NEEDS_NEWER} ${needs}`;
}

/** How the sentence begins, for who finds it in a history. */
export const NEEDS_NEWER = 'the run needs a worker';

/**
 * In workflow code it is no failure of the run: the workflow task fails, which the server hands to another worker, and again to any after
 * pauses that grow.
 */
export class WorkerTooOld extends Error {
  override readonly name = 'WorkerTooOld';
}
