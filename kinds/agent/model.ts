import type { AgentWork } from '../../plan/step-base';

export interface AgentStep extends AgentWork {
  kind: 'agent';
}
