import type { Form } from '../../plan/expressions/form';
import type { Action } from '../../plan/steps/action';
import type { StepBase } from '../../plan/steps/step-base';

/**
 * All agents diagnose what blocks the run, and the best diagnosis is applied (docs/patterns.md, CP-7). `parts` are the steps it runs in
 * turns, a turn for each round of diagnoses and for each fix: `<id>_<agent>` for each agent's diagnosis, `<id>_files` for the existing
 * paths, `<id>_fix_<agent>` to apply one, `<id>_verify` to check the solution and `<id>_rollback` to take a fix back. `timeoutMs` is how
 * long a round of diagnoses is awaited.
 */
export interface SwarmOf<S> extends StepBase {
  kind: 'swarm';
  parts: S[];
  /** The issue. Absent: the step runs only when an action calls it, which provides the issue. */
  matter?: Form;
  /** Steps that are blocked by it: they are taken up again once it is solved. */
  affected: string[];
  agents: SwarmAgent[];
  /** The check runs tests, whose report is read. */
  readsTests?: true;
  /** No other step of the run starts meanwhile. */
  pausesOthers: boolean;
  /** Who applies every fix. Absent: the author of the diagnosis. */
  fixer?: string;
  rounds: number;
  timeoutMs: number;
  /** After the last round. */
  onFail: Action[];
}

export interface SwarmAgent {
  name: string;
  /** The name of its part. */
  part: string;
  /** What the agent looks at. */
  perspective: string;
}

/** Its parts apart from the diagnoses. */
export const FILES_PART = 'files';
export const VERIFY_PART = 'verify';
export const ROLLBACK_PART = 'rollback';
/** @param part of the agent's diagnosis */
export const fixPart = (part: string): string => `fix_${part}`;

export const DEFAULT_ROUNDS = 2;
export const DEFAULT_DIAGNOSIS_MS = 10 * 60_000;
