import type { TicketOutcome } from '../../plan/queue/ticket';
import type { Keeps } from '../../plan/steps/keeps';

export interface MergeKept {
  /** Candidates that have landed, in the order in which they were offered: none is offered again in any round. */
  landed?: ({ step: string; slot: string; commit: string } & Pick<Merged, 'result' | 'already' | 'order'>)[];
  /** Candidates that came back. */
  returned?: { step: string; kind: string; reason: string }[];
}

type Merged = Extract<TicketOutcome, { kind: 'merged' }>;

export const MERGE_KEEPS: Readonly<Keeps<MergeKept>> = {};
