import { defined } from '../plan/defined';
import { field, type Json } from '../plan/text/json';
import { jsonIn, jsonText } from '../plan/text/json-text';

/** What a worker says of itself with a sign of life. */
export interface WorkerSign {
  /** Under which it polls. */
  identity: string;
  /** Absent: the server learns them from its heartbeats. */
  slots?: WorkerSlots;
}

/** Steps at once, over all its queues. */
export interface WorkerSlots {
  used: number;
  free: number;
}

/** A worker's last sign of life. */
export interface HeardWorker extends WorkerSign {
  /** By the clock of its host. */
  saidAtMs: number;
  /** How long ago, by the clock of the store. */
  ageMs: number;
}

/** As a store keeps it. */
export function signText(sign: WorkerSign): string {
  return jsonText({ ...sign, saidAtMs: Date.now() });
}

/** Undefined if no worker has written the text, or not yet all of it. */
export function heardIn(text: string, ageMs: number): HeardWorker | undefined {
  const said = jsonIn(text);
  const [identity, saidAtMs] = [field(said, 'identity'), numberIn(said, 'saidAtMs')];
  if (typeof identity !== 'string' || saidAtMs === undefined) return undefined;
  const [used, free] = ['used', 'free'].map((name) => numberIn(field(said, 'slots'), name));
  const slots = used === undefined || free === undefined ? undefined : { used, free };
  return { identity, saidAtMs, ageMs: Math.max(0, ageMs), ...defined({ slots }) };
}

function numberIn(value: Json | undefined, key: string): number | undefined {
  const found = field(value, key);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}
