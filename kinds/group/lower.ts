import { lastShape } from '../../compiler/lower/block-shape';
import type { Here, LoweredStep } from '../../compiler/lower/here';
import type { Lowering } from '../../compiler/lower/lowering';
import type { GroupSource } from '../../compiler/shape/source';

export const GROUP_LOWERING: Lowering<GroupSource> = {
  lower: groupStep,
  output: (_work, place, shapes) => lastShape(place.inner, shapes.of),
};

function groupStep(_work: GroupSource, { base, place, inner }: Here): LoweredStep | undefined {
  return place.inner && { step: { ...base, kind: 'group', block: inner(place.inner) } };
}
