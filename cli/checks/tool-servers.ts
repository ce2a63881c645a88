import { McpToolServers } from '../../activities/adapters/mcp/tool-servers';
import type { ToolServerSpec } from '../../plan/agents/adapter';
import { secretsOf, toolServerLacks } from '../serving/agent-requirements';
import { type Check, errorMessageOf } from './check';

/** How long a server of tools may take to start. One that downloads itself first may take longer, which is reported as such. */
const START_MS = 10_000;

/** Whether each server of tools that is set up starts and lists its tools: without that, an agent that lists them fails. */
export async function checkToolServers(
  specs: Readonly<Record<string, ToolServerSpec>>,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Check[]> {
  return await Promise.all(
    Object.entries(specs).map(async ([server, spec]): Promise<Check> => {
      const lacking = await toolServerLacks(server, spec, env);
      if (lacking === undefined) return await startServer(server, spec, cwd, env);
      return { ...nameOf(server), state: 'failed', says: lacking.says, hint: mend(server) };
    }),
  );
}

async function startServer(server: string, spec: ToolServerSpec, cwd: string, env: NodeJS.ProcessEnv): Promise<Check> {
  const servers = new McpToolServers({ [server]: spec }, secretsOf(env), { startMs: START_MS, silentMs: START_MS }, env);
  try {
    const open = await servers.open(server, { cwd, log: () => undefined }, new AbortController().signal);
    const left = (open.leftOut ?? []).map((why) => `tool server "${server}": ${why}`);
    const says = `${open.tools.length} tools: ${open.tools.map((tool) => tool.name).join(', ') || 'none'}`;
    await open.close();
    if (left.length === 0) return { ...nameOf(server), state: 'ok', says };
    return {
      ...nameOf(server),
      state: 'warning',
      says: `${says}; ${left.join('; ')}`,
      hint: 'agents cannot use the tools that are missing',
    };
  } catch (error) {
    return { ...nameOf(server), state: 'failed', says: errorMessageOf(error), hint: mend(server) };
  }
}

function nameOf(server: string): Pick<Check, 'name'> {
  return { name: `tool server ${server}` };
}

function mend(server: string): string {
  return `fix "mcp.${server}" in thermidor.yaml; agents that list it fail`;
}
