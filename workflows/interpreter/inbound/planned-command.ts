import type { SignalOutcome, SignalReceipt } from '../../../plan/run/signal';

/** What a message will do, if it may: planning it only reads. */
export type PlannedCommand = Applicable | NotApplied;

export interface Applicable {
  apply: () => void;
  /** It may still be refused here, which then changes nothing. Called before `apply`, in the same step. */
  decide?: () => Decided | NotApplied;
  step?: string;
  /** The journal's text for it. Absent: which step it was for. */
  about?: string;
  /** A check that only an activity can make: whether it may be applied after all. */
  check?: () => Promise<NotApplied | undefined>;
  /** Whether it is still allowed after the check: of two at once the second meets the effect of the first. */
  still?: () => NotApplied | undefined;
}

/** What an update answers, and the journal says. */
export interface Decided extends SignalReceipt {
  about?: string;
}

export interface NotApplied {
  outcome: Exclude<SignalOutcome, 'applied'>;
  reason: string;
}

/** How a message came. */
export type MessageSource = 'signal' | 'update';
