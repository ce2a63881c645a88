import type { AgentWorkSource } from '../../compiler/shape/source-parts';

export interface AgentSource extends AgentWorkSource {
  kind: 'agent';
}
