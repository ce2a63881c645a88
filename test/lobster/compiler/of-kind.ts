import type { Step, StepKind } from '../../../plan/steps/step';

/** The step, which must be of the kind that the test is about. */
export function ofKind<K extends StepKind>(step: Step | undefined, kind: K): Extract<Step, { kind: K }> {
  if (!hasKind(step, kind)) throw new Error(`expected a step of kind ${kind}, got ${step?.kind}`);
  return step;
}

function hasKind<K extends StepKind>(step: Step | undefined, kind: K): step is Extract<Step, { kind: K }> {
  return step?.kind === kind;
}
