import { isJsonObject } from '../../plan/text/json';

/** Messages between the bench and its processes. */
export type ToProcess = { kind: 'begin' } | { kind: 'report' };

export type FromProcess =
  | { kind: 'listens'; url: string }
  /** From the service: requests that it answered since `begin`. */
  | { kind: 'served'; requests: number }
  | ({ kind: 'measured' } & WorkerFigures);

/** Figures of the worker's process, since `begin`. */
export interface WorkerFigures {
  /** The longest stall of its event loop. */
  stallMs: number;
  /** The longest stall that the process can have caused itself: no more than it, with all its threads, was running meanwhile. */
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
