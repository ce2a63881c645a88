import type { Form } from '../../plan/expressions/form';
import type { Urgency } from '../../plan/patterns/advice';
import type { StepBase } from '../../plan/steps/step-base';
import type { AskedAs } from './rules/advise';

/**
 * Asks a specialist for advice (patterns.md, CP-8). `parts` are what it runs in turns, one an answer: `<id>_consultant`, `<id>_fallback` and `<id>_second_opinion`.
 * `timeoutMs` is how long advice is waited for in all; absent: without end.
 */
export interface ConsultOf<S> extends StepBase {
  kind: 'consult';
  parts: S[];
  /** What is asked: `{question, context, options}`. */
  matter: Form;
  topic: string;
  urgency: Urgency;
  /** Whom it asks, in this order. */
  advisers: AdviserSpec[];
}

export interface AdviserSpec {
  /** Also the name of its part. */
  as: AskedAs;
  /** The agent. */
  name: string;
}
