import { lastShape } from '../../compiler/lower/block-shape';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { WorkOf } from '../../compiler/shape/source';

export const GROUP_LOWERING: KindLowering<WorkOf<'group'>> = {
  lower: groupStep,
  output: (_work, place, shapes) => lastShape(place.inner, shapes.of),
};

function groupStep(_work: WorkOf<'group'>, { base, place, inner }: StepContext): LoweredStep | undefined {
  return place.inner && { step: { ...base, kind: 'group', block: inner(place.inner) } };
}
