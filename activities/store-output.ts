import { ThermidorFailure } from '../plan/run/failure';
import type { ActivityCall } from './activity-call';
import { REAL_TIMER, unlessAborted } from './deadline';
import type { Toolbox } from './toolbox';
import type { UnstoredOutput } from './unstored-output';

const FIRST_WAIT_MS = 1000;
/** Short, because the work is repeated if the worker is killed before it is stored. */
const LONGEST_WAIT_MS = 5000;
/** How many calls' results wait in memory for the store. Beyond that the oldest is dropped: fewer steps than that run in one process. */
const MOST_UNSTORED = 256;

/**
 * Does something that must not be done twice, and stores its result. If the store is full or away, only the storing is retried, by this
 * attempt or, if that runs out of time, by the next one in the same process.
 */
export async function noteProduced<P, T>(
  toolbox: Toolbox,
  call: ActivityCall,
  produce: () => Promise<P>,
  store: (given: P) => Promise<T>,
): Promise<T> {
  const unstored: UnstoredOutput = toolbox.unstored ?? new Map();
  const name = nameOf(call);
  const given = unstored.has(name) ? (unstored.get(name) as P) : await produce();
  unstored.set(name, given);
  const [oldest] = unstored.keys();
  if (unstored.size > MOST_UNSTORED && oldest !== undefined) unstored.delete(oldest);
  try {
    return await storeOutput(toolbox, call, () => store(given));
  } catch (error) {
    if (!call.signal.aborted || call.isCancelled?.()) unstored.delete(name);
    throw error;
  }
}

/** It is in the ledger now. */
export function forgetUnstored({ unstored }: Toolbox, call: ActivityCall): void {
  unstored?.delete(nameOf(call));
}

/** Stores a result, however long the store is full or away: as long as the call lasts. Heartbeats report that meanwhile. */
export async function storeOutput<T>({ timer = REAL_TIMER, log }: Toolbox, call: ActivityCall, store: () => Promise<T>): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      const stored = await store();
      if (call.notes) delete call.notes.trouble;
      return stored;
    } catch (error) {
      if (!(error instanceof ThermidorFailure) || error.code !== 'store.unavailable') throw error;
      call.signal.throwIfAborted();
      if (waitMs === FIRST_WAIT_MS) log('warn', 'a result waits for the store', { call: call.id, problem: error.message });
      if (call.notes) call.notes.trouble = error.message;
      await unlessAborted(call.signal, new Promise<void>((resolve) => void timer(waitMs, resolve)));
    }
  }
}

function nameOf({ key, id }: ActivityCall): string {
  return `${key.workflowId}/${key.run}/${id}`;
}
