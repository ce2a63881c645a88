import type { MappingNode } from '../../compiler/read/node';
import { readAgentWork } from '../../compiler/shape/agent-work';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import type { AgentSource } from './source';

/** What an agent does. */
export function readAgent(node: MappingNode, _step: StepSource, { report }: ReadContext): AgentSource {
  return readAgentWork({ kind: 'agent' }, node, report);
}
