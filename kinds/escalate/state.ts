import type { ArtifactRef } from '../../plan/run/artifact';
import type { Keeps } from '../../plan/steps/keeps';
import type { DiagnoseValues, EscalationMove } from './rules/diagnose';
import type { EscalationOutcome } from './rules/issue';
import type { EscalationView } from './view';

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

export interface EscalateKept {
  /** The last turn that was begun. */
  turn?: number;
  /** The attempt in progress: a further try continues there. */
  next?: EscalationPosition;
  view?: EscalationView;
  /** How it ended, for its caller. */
  end?: EscalationEnd;
}

export const ESCALATE_KEEPS: Keeps<EscalateKept, EscalationView> = { shown: ({ view }) => view, end: ({ end }) => end };
