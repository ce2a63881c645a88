import type { ToolServerSpec } from '../../plan/adapter';
import { type Check, messageOf } from './check';

/** A first start may have to fetch the program. */
const START_MS = 30_000;

/** Whether each server of tools that is set up starts and says what it has: an agent that lists it fails without it. */
export async function checkToolServers(specs: Readonly<Record<string, ToolServerSpec>>, cwd: string): Promise<Check[]> {
  if (Object.keys(specs).length === 0) return [];
  const { McpToolServers } =
    require('../../activities/adapters/mcp/tool-servers') as typeof import('../../activities/adapters/mcp/tool-servers');
  const { LocalSecrets } = require('../../activities/adapters/secrets') as typeof import('../../activities/adapters/secrets');
  const servers = new McpToolServers(specs, new LocalSecrets(), { startMs: START_MS, silentMs: START_MS });
  return await Promise.all(
    servers.names.map(async (server): Promise<Check> => {
      const name = `tool server ${server}`;
      const left: string[] = [];
      try {
        const log = (message: string) => void (message.includes('left out') && left.push(message));
        const open = await servers.open(server, { cwd, log }, new AbortController().signal);
        const says = `${open.tools.length} tools: ${open.tools.map((tool) => tool.name).join(', ') || 'none'}`;
        await open.close();
        if (left.length === 0) return { name, state: 'ok', says };
        return { name, state: 'warning', says: `${says}; ${left.join('; ')}`, hint: 'agents cannot use what is left out' };
      } catch (error) {
        return { name, state: 'failed', says: messageOf(error), hint: `mend "mcp.${server}" in thermidor.yaml; agents that list it fail` };
      }
    }),
  );
}
