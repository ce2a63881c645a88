import type { Amounts } from '../../../plan/budgets/budget';
import type { StepKind } from '../../../plan/steps/step';

/** A step's work that was in progress when it was cancelled, as state keeps it. */
export interface CancelledWork {
  path: string;
  kind: StepKind;
  round: number;
  try: number;
  /** Name of its record in the ledger. */
  call: string;
  /** What budgets had been charged for it by then. */
  charged?: Required<Amounts>;
}
