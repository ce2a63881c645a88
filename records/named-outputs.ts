import type { ArtifactRef } from '../plan/run/artifact';
import type { Address } from '../plan/steps/address';

/**
 * Outputs under the names that people know them by. A convenience: nothing in a run reads it back, so it asks nothing of the store but that
 * the last write of a name stays, if it has places that a person can open.
 */
export interface NamedOutputs {
  /** A later try of the same round replaces an earlier one's output. */
  layOut(ref: ArtifactRef, workflowId: string, address: Address): Promise<void>;
  /** Where a person can open it, as a path or a URL; undefined if it was not laid out, or the store has no such places. */
  locate(workflowId: string, address: Address, name: string): Promise<string | undefined>;
}
