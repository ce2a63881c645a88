import { IR_VERSION } from '../plan';
import { QUEUE_VERSION } from '../queue/ticket';
import { RUN_VERSION } from './run-activities';

/**
 * How workers use Temporal's Worker Deployments. `auto`: an open run continues on the build that is promoted. `pinned`: it stays on the
 * build that began it. `off`: the server knows nothing of builds.
 */
export const VERSION_MODES = ['auto', 'pinned', 'off'] as const;
export type VersionMode = (typeof VERSION_MODES)[number];

/**
 * The deployment of a task queue: every queue that its workers serve is in it. The server splits `name.build` at the first dot and
 * `name:build` at the first colon, so a name has neither.
 */
export function deploymentOf(taskQueue: string): string {
  return taskQueue.replace(/[%.:]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A build as people read and type it: the digest, without the name of the program. */
export function shortBuild(build: string): string {
  return build.slice(build.indexOf('+') + 1);
}

/** The newest of each that a build can work on (worker-version.ts). */
export interface BuildReads {
  run: number;
  language: number;
  queue: number;
}

export const OWN_READS: BuildReads = { run: RUN_VERSION, language: IR_VERSION, queue: QUEUE_VERSION };

/** The entry of a build's metadata on the server that has its `BuildReads` as JSON. */
export const READS_ENTRY = 'thermidor-reads';
