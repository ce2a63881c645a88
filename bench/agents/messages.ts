import { isJsonObject } from '../../plan/text/json';

/** What the bench and its processes say to each other. */
export type ToProcess = { kind: 'begin' } | { kind: 'report' };

export type FromProcess =
  | { kind: 'listens'; url: string }
  /** Of the service: requests that it answered since `begin`. */
  | { kind: 'served'; requests: number }
  | ({ kind: 'measured' } & WorkerFigures);

/** Of the worker's process, since `begin`. */
export interface WorkerFigures {
  /** The longest that its event loop stood still. */
  stallMs: number;
  /** The longest that it can have done so by itself: no more than the process, with all its threads, was running meanwhile. */
  ownStallMs: number;
  /** User and system time, all threads. */
  cpuMs: number;
  /** The most memory that the process ever had. */
  peakMb: number;
}

export function isToProcess(value: unknown): value is ToProcess {
  return isJsonObject(value) && (value['kind'] === 'begin' || value['kind'] === 'report');
}

export function isFromProcess(value: unknown): value is FromProcess {
  return isJsonObject(value) && ['listens', 'served', 'measured'].includes(String(value['kind']));
}
