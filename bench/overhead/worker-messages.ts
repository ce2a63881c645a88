import { isJsonObject } from '../../plan/text/json';

/** Messages between the bench and its worker processes. */
export interface WorkerSpec {
  address: string;
  namespace: string;
  taskQueue: string;
  /** Path of the workflow bundle. */
  bundle: string;
  /** Path of the payload converter. Absent: the SDK's own. */
  payloadConverter?: string;
  /** Its code is named as by Thermidor's workers. Absent: by the SDK. */
  named?: true;
}

export type ToWorker = { kind: 'cpu' } | { kind: 'stop' };

/** `cpu`: the process's CPU time since it began, all threads, user and system. */
export type FromWorker = { kind: 'ready' } | { kind: 'cpu'; cpuMs: number };

export function isToWorker(value: unknown): value is ToWorker {
  return isJsonObject(value) && (value['kind'] === 'cpu' || value['kind'] === 'stop');
}

export function isFromWorker(value: unknown): value is FromWorker {
  if (!isJsonObject(value)) return false;
  return value['kind'] === 'ready' || (value['kind'] === 'cpu' && typeof value['cpuMs'] === 'number');
}
