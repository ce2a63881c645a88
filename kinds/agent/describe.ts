import { into } from '../../plan/describing';
import { agentData, agentFacts, ownContext, type ShownAgentWork, whoAsked } from '../../plan/describing-agents';
import type { Description } from '../../plan/description';
import type { AgentStep } from './model';

export interface ShownAgent extends ShownAgentWork {
  kind: 'agent';
}

export const AGENT_DESCRIPTION: Description<AgentStep, ShownAgent> = {
  data: (step, words) => ({ kind: 'agent', ...agentData(step, words) }),
  line: (data) => `agent ${whoAsked(data)}${ownContext(data)}${into(data)}`,
  facts: agentFacts,
  label: ({ agent }) => agent,
  shape: 'work',
};
