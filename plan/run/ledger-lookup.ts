import type { StepKind } from '../steps/step';
import type { StepOutput } from '../steps/step-activity';

/** Looks up cancelled work in the ledger: its activity may have done it without the run's knowledge. */
export interface LedgerLookupInput {
  run: string;
  calls: LookedUpCall[];
}

/** `call` is the name of its record in the ledger, `kind` that of its step. */
export interface LookedUpCall {
  call: string;
  kind: StepKind;
}

export interface LedgerLookupOutput {
  /** The finished ones, by call. */
  done: Record<string, StepOutput>;
  /** When others have begun, in milliseconds, if a worker was lost at it: the first time, and each time after that. */
  begun?: Record<string, number[]>;
  /** How many calls were looked up, counted from the first: the answer can hold no more. At least 1. */
  looked: number;
}
