import { OPEN } from '../../compiler/expression/output-shape';
import type { Here, LoweredStep } from '../../compiler/lower/here';
import type { Lowering } from '../../compiler/lower/lowering';
import type { SwitchSource } from '../../compiler/shape/source';
import type { Expr } from '../../plan/expression';
import type { Step } from '../../plan/step';

export const SWITCH_LOWERING: Lowering<SwitchSource> = {
  lower: switchStep,
  // Which case runs is not known, and each outputs its own.
  output: () => OPEN,
};

function switchStep(_work: SwitchSource, { base, place, inner }: Here): LoweredStep {
  const branches = place.inner ? inner(place.inner).steps : [];
  return { step: { ...base, kind: 'switch', branches: exclusive(branches) } };
}

/** Each case holds only where none before it does, so that the conditions alone say which one runs. */
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
