import type { Json } from '../text/json';
import type { ArtifactRef } from './artifact';
import type { RunState } from './status';

/** How a run that closes as Completed ends. */
export interface RunResult {
  status: Extract<RunState, 'completed' | 'rejected'>;
  output: Json;
  /** Artifact of each step that has one; if a result cannot hold them all, of the first ones. */
  artifacts: Record<string, ArtifactRef>;
  /** How many are left out: `status` has them all. */
  moreArtifacts?: number;
  reason?: string;
}
