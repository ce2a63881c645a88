import type { SignalOutcome } from '../../../plan/run/signal';

/** What a message will do, as far as it may: planning it only reads. */
export type PlannedCommand = Applicable | NotApplied;

export interface Applicable {
  apply: () => void;
  step?: string;
  /** What the journal says of it. Absent: which step it was for. */
  about?: string;
  /** What only an activity can say: whether it may be applied after all. */
  check?: () => Promise<NotApplied | undefined>;
  /** Whether it still may, once that has been checked: of two at once the second meets what the first has done. */
  still?: () => NotApplied | undefined;
}

export interface NotApplied {
  outcome: Exclude<SignalOutcome, 'applied'>;
  reason: string;
}

/** How a message came. */
export type MessageSource = 'signal' | 'update';
