import type { Fault } from '../agents/reply-fault';
import type { ArtifactRef } from '../run/artifact';

/** Why a step runs another try. */
export interface TryNote {
  reason: 'timeout' | 'missing_fields' | 'api_error' | 'retry' | 'operator';
  message: string;
  /** Paths of the mistakes in the last reply. */
  missingFields?: string[];
  /** The mistakes in the last reply, with their reasons. */
  faults?: Fault[];
  /** The incomplete report. */
  previous?: ArtifactRef;
}
