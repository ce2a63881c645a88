import { NOTHING, OPEN } from '../../compiler/expression/output-shape';
import { controlOf } from '../../compiler/lower/context';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { zoneOf } from '../../compiler/lower/zone';
import type { WorkOf } from '../../compiler/shape/source';

export const WAIT_LOWERING: KindLowering<WorkOf<'wait'>> = {
  lower: waitStep,
  output: (work) => (work.signal === undefined ? NOTHING : OPEN),
};

function waitStep(work: WorkOf<'wait'>, { base, place, context }: StepContext): LoweredStep | undefined {
  const until = controlOf(work.until, place, context);
  if (work.forMs !== undefined) return { step: { ...base, kind: 'wait', forMs: work.forMs } };
  if (work.signal !== undefined) return { step: { ...base, kind: 'wait', signal: work.signal } };
  return until && { step: { ...base, kind: 'wait', until, zone: zoneOf(context.pipeline, context.installation) } };
}
