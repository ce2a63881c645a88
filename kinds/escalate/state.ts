import type { ArtifactRef } from '../../plan/run/artifact';
import type { Keeps } from '../../plan/steps/keeps';
import type { DiagnoseValues, EscalationMove } from './rules/diagnose';
import type { EscalationOutcome } from './rules/issue';
import type { EscalationView } from './view';

/** The state that a run keeps of escalations. */

/** The current attempt of the current level. */
export interface EscalationPosition {
  /** The turn of its parts: each attempt has another. */
  turn: number;
  move: EscalationMove;
  /** All answers so far. */
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

export const ESCALATE_KEEPS: Keeps<EscalateKept, EscalationView> = {
  lastTurn: ({ turn }) => turn,
  shown: ({ view }) => view,
  end: ({ end }) => end,
};
