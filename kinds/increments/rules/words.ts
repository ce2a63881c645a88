/** The words in which increments are delivered (docs/patterns.md, CP-6). */

/** In the order in which they are checked. */
export const INCREMENT_GATES = ['syntax_clean', 'no_regression', 'increment_tests_pass'] as const;
export type IncrementGate = (typeof INCREMENT_GATES)[number];

/** `executor`: it has not done its work, or not in time. */
export type FailedGateName = IncrementGate | 'executor' | 'validator';

/** `REVERTED`: it had passed, and the validation of the whole failed with it. */
export const INCREMENT_STATUSES = ['IN_PROGRESS', 'PASS', 'BLOCKED', 'REVERTED'] as const;
export type IncrementStatus = (typeof INCREMENT_STATUSES)[number];

/**
 * The view for people; the journal has the last entries of `gate_history` (`progressSignal`). `current` counts from 1, and is absent once
 * all are over.
 */
export type DeliveryProgress = {
  total_increments: number;
  completed: number;
  current?: number;
  progress_percent: number;
  gate_history: { id: string; attempts: number; status: IncrementStatus }[];
};

/** A delivery as people see it while it runs and afterwards, with every increment. */
export type DeliveryView = DeliveryProgress & { increments: IncrementView[] };

/** `status` is absent before it begins. */
export interface IncrementView {
  id: string;
  tasks: string[];
  attempts: number;
  status?: IncrementStatus;
  /** Gates that its last attempt has failed. */
  failed?: FailedGateName[];
  /** The increment that it depends on, and that was blocked before it. */
  blockedBy?: string;
}
