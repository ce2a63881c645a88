import type { MappingNode } from '../../compiler/read/node';
import { readAgentWork } from '../../compiler/shape/agent-work';
import { readEmits } from '../../compiler/shape/emits';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import type { AgentSource } from './source';

/** What an agent does. */
export function readAgent(node: MappingNode, step: StepSource, { report }: ReadContext): AgentSource {
  const emits = readEmits(node, report);
  if (emits) step.emits = emits;
  return readAgentWork({ kind: 'agent' }, node, report);
}
