import type { Form } from '../../plan/expressions/form';
import type { Urgency } from '../../plan/patterns/advice';
import type { StepBase } from '../../plan/steps/step-base';
import type { AskedAs } from './rules/advise';

/**
 * Asks a specialist for advice (docs/patterns.md, CP-8). `parts` are the steps it runs in turns, one turn for each answer:
 * `<id>_consultant`, `<id>_fallback` and `<id>_second_opinion`. `timeoutMs` limits the whole wait for advice; absent: no limit.
 */
export interface ConsultOf<S> extends StepBase {
  kind: 'consult';
  parts: S[];
  /** The question: `{question, context, options}`. */
  matter: Form;
  topic: string;
  urgency: Urgency;
  /** The advisers, in the order of asking. */
  advisers: AdviserSpec[];
}

export interface AdviserSpec {
  /** In what role the adviser is asked; also the name of the part. */
  as: AskedAs;
  /** The agent. */
  name: string;
}
