import { agentWork } from '../../compiler/lower/agent-work';
import type { Lowering } from '../../compiler/lower/lowering';
import { schemaOfAgent, shapeOfSchema } from '../../compiler/lower/output-schema';
import type { AgentSource } from './source';

export const AGENT_LOWERING: Lowering<AgentSource> = {
  lower(work, here) {
    const { fields, inputs } = agentWork(work, here);
    return fields.agent === '' ? undefined : { step: { ...fields, kind: 'agent' }, inputs };
  },
  output: shapeOfSchema,
  schema: schemaOfAgent,
};
