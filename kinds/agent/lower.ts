import { agentWork } from '../../compiler/lower/agents/agent-work';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { schemaOfAgent, shapeOfSchema } from '../../compiler/lower/output-schema';
import type { WorkOf } from '../../compiler/shape/source';

export const AGENT_LOWERING: KindLowering<WorkOf<'agent'>> = {
  lower(work, here) {
    const { fields, inputs } = agentWork(work, here);
    return fields.agent === '' ? undefined : { step: { ...fields, kind: 'agent' }, inputs };
  },
  output: shapeOfSchema,
  schema: schemaOfAgent,
};
