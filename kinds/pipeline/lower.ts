import { OPEN } from '../../compiler/expression/output-shape';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { WorkOf } from '../../compiler/shape/source';
import type { Template } from '../../plan/expressions/expression';
import { checkArgNames, checkArgValue } from './given-args';

export const PIPELINE_LOWERING: KindLowering<WorkOf<'pipeline'>> = {
  lower: childStep,
  output: (_work, place, shapes) => shapes.childOf(place)?.output ?? OPEN,
};

/** Lowers another pipeline as a child: its plan is a blob of this one, and its arguments fit its args. */
function childStep(work: WorkOf<'pipeline'>, here: StepContext): LoweredStep | undefined {
  const { base, place, context, template } = here;
  const child = context.childOf(place);
  const given = new Map<string, Template>();
  for (const [name, { value, at }] of work.with ?? []) {
    const found = template(value);
    if (!found) continue;
    given.set(name, found);
    if (child) checkArgValue(name, found, at, child, here);
  }
  if (!work.pipeline || !child) return undefined;
  checkArgNames(work, child, here);
  const step: LoweredStep['step'] = { ...base, kind: 'pipeline', pipeline: child.plan.name, plan: child.planSha256 };
  if (given.size > 0) step.with = context.blobs.add(Object.fromEntries(given), `${base.id}.with.json`);
  return { step };
}
