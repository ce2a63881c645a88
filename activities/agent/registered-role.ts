import type { Role } from '../../plan/brief/role';
import { toolsOfRole } from '../../plan/brief/role-tools';
import type { AgentDefinition } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { StepInput } from '../../plan/steps/step-activity';
import type { Toolbox } from '../toolbox';

/** Roles of briefs that an application registers in its workers (`registerRole()`): plans have only their ids. */

type Roles = Pick<Toolbox, 'roles'>;

/** The agent of such a role, with this worker's instructions and tools for it. Fails with `brief.no-role`. */
export function withRegisteredRole(toolbox: Roles & Pick<Toolbox, 'tools' | 'toolServers'>, agent: AgentDefinition): AgentDefinition {
  if (agent.registeredRole === undefined) return agent;
  const role = roleOf(toolbox, agent.registeredRole);
  const servers = [...Object.keys(agent.toolServers ?? {}), ...(toolbox.toolServers?.names ?? [])];
  const tools = toolsOfRole(role, { own: Object.keys(toolbox.tools ?? {}), servers });
  return { ...agent, role: role.promptOverlay, description: role.description, tools };
}

/** What calls are checked by is this worker's role, too. */
export function withRegisteredScope(toolbox: Roles, input: StepInput): StepInput {
  const { authority } = input;
  if (!authority?.role.isRegistered) return input;
  const { id, toolCategories, allowReadFile } = roleOf(toolbox, authority.role.id);
  return { ...input, authority: { ...authority, role: { id, toolCategories, allowReadFile } } };
}

function roleOf({ roles = [] }: Roles, id: string): Role {
  const role = roles.find((one) => one.id === id);
  if (role) return role;
  const there = roles.length === 0 ? 'it has none' : `it has: ${roles.map((one) => one.id).join(', ')}`;
  throw new ThermidorFailure('brief.no-role', `no role "${id}" is registered on this worker; ${there}`, { role: id });
}
