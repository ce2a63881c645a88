import type { Keeps } from '../../plan/steps/keeps';

export interface LandedCandidate {
  step: string;
  slot: string;
  commit: string;
  result: string;
  already?: true;
  /** As the queue says (`TicketOutcome`). */
  order?: number;
}

export interface MergeKept {
  /** Candidates that have landed, in the order in which they were offered: none is offered again in any round. */
  landed?: LandedCandidate[];
  /** Those that came back. */
  returned?: { step: string; kind: string; reason: string }[];
}

export const MERGE_KEEPS: Readonly<Keeps<MergeKept>> = {};
