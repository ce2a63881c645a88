import type { StepKind } from '../steps/step';
import type { StepOutput } from '../steps/step-activity';

/** What the ledger has of cancelled work: its activity may have done it, without the run's knowledge. */
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
  /** By call, of those that are done. */
  done: Record<string, StepOutput>;
  /** How many calls were looked up, from the first on: the answer holds no more. At least 1. */
  looked: number;
}
