import { isJsonObject } from '../../plan/text/json';

/** What the bench and its worker processes say to each other. */
export interface WorkerSpec {
  address: string;
  namespace: string;
  taskQueue: string;
  /** Path of the workflow bundle. */
  bundle: string;
  /** Path of the payload converter. Absent: the SDK's own. */
  payloadConverter?: string;
  /** Its code has the name that Thermidor's workers give it. Absent: the SDK's own. */
  named?: true;
}

export type ToWorker = { kind: 'cpu' } | { kind: 'stop' };

/** `cpu`: what the process has used since it began, all threads, user and system. */
export type FromWorker = { kind: 'ready' } | { kind: 'cpu'; cpuMs: number };

export function isToWorker(value: unknown): value is ToWorker {
  return isJsonObject(value) && (value['kind'] === 'cpu' || value['kind'] === 'stop');
}

export function isFromWorker(value: unknown): value is FromWorker {
  if (!isJsonObject(value)) return false;
  return value['kind'] === 'ready' || (value['kind'] === 'cpu' && typeof value['cpuMs'] === 'number');
}
