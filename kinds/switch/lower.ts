import { OPEN } from '../../compiler/expression/output-shape';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { SwitchSource } from '../../compiler/shape/source';
import type { Expr } from '../../plan/expressions/expression';
import type { Step } from '../../plan/steps/step';

export const SWITCH_LOWERING: KindLowering<SwitchSource> = {
  lower: switchStep,
  // Which case runs is unknown, and each has an output of its own.
  output: () => OPEN,
};

function switchStep(_work: SwitchSource, { base, place, inner }: StepContext): LoweredStep {
  const branches = place.inner ? inner(place.inner).steps : [];
  return { step: { ...base, kind: 'switch', branches: exclusive(branches) } };
}

/** Makes each case hold only if none before it does, so that the conditions alone say which one runs. */
function exclusive(cases: readonly Step[]): Step[] {
  let none: Expr | undefined;
  return cases.map((step) => {
    const own = step.when;
    const when = and(none, own);
    if (own) none = and(none, { kind: 'not', operand: own });
    return when ? { ...step, when } : step;
  });
}

function and(left: Expr | undefined, right: Expr | undefined): Expr | undefined {
  return left && right ? { kind: 'binary', operator: '&&', left, right } : (left ?? right);
}
