import { entryOf, type MappingNode } from '../../compiler/read/node';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { GroupSource, StepSource } from '../../compiler/shape/source';

/** A branch of several steps. */
export function readGroup(node: MappingNode, _step: StepSource, reading: ReadContext): GroupSource {
  const steps = entryOf(node, 'steps');
  return { kind: 'group', steps: steps ? reading.steps(steps) : [] };
}
