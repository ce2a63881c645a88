import { BUILT_IN_TOOLS, builtInTool } from '../agents/tool-names';
import { ANY_CATEGORY, serverOf, unauthorised } from './category';
import { outOfScope, type Role } from './role';

/** The tools of an application, and the names of servers, that a role may have next to the built-in ones. */
export interface OtherTools {
  own?: readonly string[];
  servers?: readonly string[];
}

/**
 * The tools that a role's agent lists: nothing that the role may not do in any case. Those that call on other agents need nothing: a role
 * that may do everything has them.
 */
export function toolsOfRole(role: Omit<Role, 'id' | 'description' | 'promptOverlay'>, { own = [], servers = [] }: OtherTools): string[] {
  const mayEverything = role.toolCategories.includes(ANY_CATEGORY);
  // Starting pipelines is for agents that list some.
  const builtIn = BUILT_IN_TOOLS.filter(
    (tool) =>
      !('unlisted' in tool) &&
      tool.name !== 'pipelines_start' &&
      (tool.costs.length > 0 || mayEverything) &&
      outOfScope(role, tool.costs).length === 0,
  );
  const others = own.filter((name) => !builtInTool(name) && outOfScope(role, ['shell_exec']).length === 0);
  const reached = [...new Set(servers)].filter((server) =>
    role.toolCategories.some((entry) => [ANY_CATEGORY, 'mcp_tool:*'].includes(entry) || serverOf(entry) === server),
  );
  return [...builtIn.map(({ name }) => name), ...others, ...reached.map((server) => `mcp__${server}`)];
}

/**
 * The same of a role that a program runs. It asks nobody before it uses a tool, so it has only what the brief authorises as well; tools of
 * an application and of servers are not for programs.
 */
export function toolsOfProgram(role: Parameters<typeof toolsOfRole>[0], authorized: readonly string[]): string[] {
  const scoped = new Set(toolsOfRole(role, {}));
  return BUILT_IN_TOOLS.flatMap(({ name, programs, costs }) =>
    programs && scoped.has(name) && unauthorised(authorized, costs).length === 0 ? [name] : [],
  );
}
