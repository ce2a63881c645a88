import type { Json } from '../../plan/text/json';
import type { RunKey } from '../ledger';

/** What a prune asks the Temporal server. All but `says` fail if the server does not answer: then nothing may be removed. */
export interface RunsOnServer {
  /** Whether the run is open now, whatever its record says: it may have been reset. */
  isOpen(run: RunKey): Promise<boolean>;
  /** Executions that are open, whether they have begun or not. */
  open(): AsyncIterable<RunKey & { startedMs: number }>;
  /** All that a run or a merge queue says of itself now. Undefined if it does not answer. */
  says(run: RunKey): Promise<Json | undefined>;
  /** A moment by the server's clock, in milliseconds, from the last minutes. Undefined if it tells none. */
  clockMs(): Promise<number | undefined>;
}
