import { join } from 'node:path';
import type { ServerLimits } from '../../activities/adapters/mcp/limits';
import { McpToolServers } from '../../activities/adapters/mcp/tool-servers';
import { LocalSecrets } from '../../activities/adapters/secrets';
import type { ToolServer } from '../../activities/ports';
import type { ToolServerSpec } from '../../plan/agents/adapter';
import { scratchFolder } from '../activities/workshop';

export const NEVER = new AbortController().signal;

export function oddServer(mode = 'plain', ...args: string[]): ToolServerSpec & { kind: 'stdio' } {
  return { kind: 'stdio', command: [process.execPath, join(__dirname, 'odd-server.cjs'), mode, ...args] };
}

export interface Opened {
  server: ToolServer;
  logged: string[];
  cwd: string;
}

const open: ToolServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Opens a server as a worker does, and closes it when the test ends. */
export async function opened(
  spec: ToolServerSpec,
  limits: Partial<ServerLimits> = {},
  { env = { PATH: process.env['PATH'] }, signal = NEVER, only }: { env?: NodeJS.ProcessEnv; signal?: AbortSignal; only?: string[] } = {},
): Promise<Opened> {
  const logged: string[] = [];
  const cwd = scratchFolder();
  const log = (message: string) => void logged.push(message);
  const servers = new McpToolServers({ odd: spec }, new LocalSecrets(env), limits, env);
  const server = await servers.open('odd', { cwd, log, ...(only ? { only: new Set(only) } : {}) }, signal);
  open.push(server);
  return { server, logged, cwd };
}
