import type { Report } from '../../compiler/diagnostics/diagnostic';
import { OPEN } from '../../compiler/expression/output-shape';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { type Entry, entryOf } from '../../compiler/read/node';
import { headOf } from '../../compiler/shape/keys';
import type { WorkOf } from '../../compiler/shape/source';
import type { Expr } from '../../plan/expressions/expression';
import type { Step } from '../../plan/steps/step';

export const SWITCH_LOWERING: KindLowering<WorkOf<'switch'>> = {
  lower: switchStep,
  // Which case runs is unknown, and each has an output of its own.
  output: () => OPEN,
};

/** The condition of a case has those of all before it within. */
const MOST_CASES = 64;

function switchStep({ node, branches: cases = [] }: WorkOf<'switch'>, { base, place, inner, context }: StepContext): LoweredStep {
  const entry = entryOf(node, 'switch');
  if (entry && cases.length > MOST_CASES) {
    const message = `"switch" has ${cases.length} cases, but takes at most ${MOST_CASES}`;
    context.report('shape.out-of-range', entry.keyAt, message, 'put some into a switch of their own');
  }
  checkDefault(entry, context.report);
  const branches = place.inner ? inner(place.inner).steps : [];
  return { step: { ...base, kind: 'switch', branches: exclusive(branches) } };
}

/** After a case that always holds no other is reached. */
function checkDefault(cases: Entry | undefined, report: Report): void {
  const items = cases?.value.kind === 'sequence' ? cases.value.items : [];
  const open = items.findIndex((item) => item.kind === 'mapping' && !CONDITIONS.some((key) => entryOf(item, key)));
  const [item] = items.slice(open, items.length - 1);
  if (open < 0 || item?.kind !== 'mapping') return;
  const id = entryOf(item, 'id')?.value;
  const named = id?.kind === 'scalar' ? `case "${id.text}"` : 'a case';
  report(
    'switch.unreachable-case',
    id?.at ?? headOf(item),
    `${named} has no "when", so none after it is reached`,
    'add a `when`, or put it last as the default',
  );
}
const CONDITIONS = ['when', 'condition'];

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
