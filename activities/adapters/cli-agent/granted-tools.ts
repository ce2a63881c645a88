import { PROGRAM_TOOLS } from '../../../plan/agents/tool-names';
import type { AgentRequest } from '../../agent-port';
import type { Granted } from './preset';

/**
 * The agent's tools that its program may use: those that it lists and the step allows. A tool that needs approval for each call is
 * withheld, as a program cannot ask for it; only the runner has tools for other agents, artifacts or servers of tools.
 */
export function grantedTools({ agent, tools }: Pick<AgentRequest, 'agent' | 'tools'>): Granted {
  const gated = new Set(Object.values(agent.categories ?? {}).flat());
  const allowed = tools && new Set(tools.specs.map(({ name }) => name));
  return new Set(PROGRAM_TOOLS.filter((tool) => agent.tools?.includes(tool) && !gated.has(tool) && (allowed?.has(tool) ?? true)));
}
