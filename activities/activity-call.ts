import { bug } from '../plan/run/failure';
import type { Address } from '../plan/steps/address';
import { addressOfCall } from '../plan/steps/call-address';
import type { RunKey } from '../records/ledger';

/**
 * One call of an activity, without Temporal: which run and which execution of which step it is for. Its `id` is the activity's id: a step's
 * address, or an address with a suffix for a part of the step (`converge#1~1/gate`). It names the call's records in the ledger, so it must
 * never depend on the attempt.
 */
export interface ActivityCall {
  key: RunKey;
  /** Id of the execution that asks, which is another once it continues as new, or is reset. */
  execution?: string;
  id: string;
  /** Whether the run has called it off, once `signal` is aborted: a worker that shuts down has not. */
  isCancelled?: () => boolean;
  /** Temporal's attempt, within one try; counts from 1. */
  attempt: number;
  /** When this attempt was scheduled, by the server's clock: of two running attempts the later one is awaited. */
  scheduledAtMs?: number;
  /** The time by the server's clock, which budgets go by; that of this machine may be another. Absent: this machine's is the only one. */
  serverNowMs?(): Promise<number>;
  /** Aborted when the run is cancelled or the worker stops; its reason is what the call should reject with. */
  signal: AbortSignal;
  heartbeat(details: Progress): void;
  /**
   * Makes the run look into the ledger for children that this call has spawned, or makes another run look after one of its own calls.
   * Absent: it looks when the call ends.
   */
  wake?(other?: { workflowId: string; step: string }): Promise<void>;
  /** What heartbeats carry in addition to the progress: why results are not stored yet. */
  notes?: { trouble?: string };
}

/**
 * Progress of a call, as `status` and `watch` show it: the turn of a conversation, or how many steps of a chain have run; and the address
 * in progress.
 */
export interface Progress {
  turn: number;
  step?: string;
  /** For a chain: when the current step began, and when the earlier ones ran. */
  startedAtMs?: number;
  done?: readonly { startedAtMs: number; endedAtMs: number; failed?: true }[];
  /** The log in the ledger that has the conversation so far. */
  transcript?: string;
  /** The commit of the work tree in which an agent works. */
  commit?: string;
  /** Why results are not stored yet. */
  trouble?: string;
}

export function requireAddress(call: Pick<ActivityCall, 'id'>): Address {
  const address = addressOfCall(call);
  if (!address) throw bug(`activity id "${call.id}" is not the address of a step`);
  return address;
}
