import type { AgentWorkSpec } from '../../plan/steps/step-base';

export interface AgentStep extends AgentWorkSpec {
  kind: 'agent';
}
