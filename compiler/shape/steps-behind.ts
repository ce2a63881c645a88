import { stepsBehind as behindAdvice } from '../../kinds/consult/design-conflict';
import { stepsBehind as behindBranches } from '../../kinds/parallel/fan-in';
import type { Report } from '../diagnostics/diagnostic';
import type { MappingNode, SourceNode } from '../read/node';
import type { StepSource } from './source';

/** Steps that keys of a step put behind it. They are read as if the file had them there. */
export function stepsBehind(node: MappingNode, { id, work }: StepSource, isBranch: boolean, report: Report): SourceNode[] {
  if (work?.kind === 'parallel') return behindBranches(node, id, isBranch, report);
  if (work?.kind === 'consult') return behindAdvice(node, id, isBranch, report);
  return [];
}
