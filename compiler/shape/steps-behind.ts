import { stepsBehind as behindAdvice } from '../../kinds/consult/design-conflict';
import { stepsBehind as behindBranches } from '../../kinds/parallel/fan-in';
import type { Report } from '../diagnostics/diagnostic';
import type { MappingNode, SourceNode } from '../read/node';
import type { StepSource, WorkSource } from './source';

type Behind = (node: MappingNode, id: string, isBranch: boolean, report: Report) => SourceNode[];

const BEHIND: { [K in WorkSource['kind']]?: Behind } = { parallel: behindBranches, consult: behindAdvice };

/** Steps that keys of a step put behind it. They are read as if the file had them there. */
export function stepsBehind(node: MappingNode, { id, work }: StepSource, isBranch: boolean, report: Report): SourceNode[] {
  return (work && BEHIND[work.kind])?.(node, id, isBranch, report) ?? [];
}
