import { agentData, agentFacts, askedAgent, type ShownAgentWork, sharesOwnerContext } from '../../plan/steps/agent-description';
import type { Description } from '../../plan/steps/description';
import { outputFacts } from '../../plan/steps/description-parts';
import type { AgentStep } from './model';

export interface ShownAgent extends ShownAgentWork {
  kind: 'agent';
}

export const AGENT_DESCRIPTION: Description<AgentStep, ShownAgent> = {
  data: (step, words) => ({ kind: 'agent', ...agentData(step, words) }),
  line: (data) => `agent ${askedAgent(data)}${sharesOwnerContext(data)}${outputFacts(data)}`,
  facts: agentFacts,
  label: ({ agent }) => agent,
  shape: 'work',
};
