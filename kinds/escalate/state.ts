import type { ArtifactRef } from '../../plan/run/artifact';
import type { DiagnoseValues, EscalationMove } from './rules/diagnose';
import type { EscalationOutcome } from './rules/issue';

/** What a run keeps of escalations. */

/** Which attempt of which level it is. */
export interface EscalationPosition {
  /** Of its parts: each attempt has another. */
  turn: number;
  move: EscalationMove;
  /** What all have said so far. */
  record: ArtifactRef;
  /** In brief. */
  issue: string;
}

export interface EscalationEnd extends Pick<DiagnoseValues, 'by' | 'solution' | 'rootCause'> {
  outcome: EscalationOutcome;
}
