import { serverEntry } from '../../../plan/agents/tool-names';
import { defined } from '../../../plan/defined';
import type { AgentDefinition } from '../../../plan/plan';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { ToolServer, ToolServerUse } from '../../ports';
import type { Toolbox } from '../../toolbox';
import type { Tool } from '../tool';

/** Tools of the servers that an agent lists, by the names it has for them. Must be closed. */
export interface McpTools {
  tools: Readonly<Record<string, Tool>>;
  /** Never rejects; the servers' processes and sockets have ended when it resolves. */
  close(): Promise<void>;
}

/**
 * Opens the servers in an agent's list of tools, each once, for one try: `mcp__server` is every tool of the server, `mcp__server__tool` one
 * tool. An agent is meant to have its listed tools, so a server that cannot be reached, or lacks a listed tool, fails with `tool.failed`
 * before anything is paid for. Fails with `secret.missing`, too; nothing is left open then.
 */
export async function openMcpTools(
  { toolServers }: Pick<Toolbox, 'toolServers'>,
  { id, tools = [], toolServers: own = {} }: Pick<AgentDefinition, 'id' | 'tools' | 'toolServers'>,
  at: ToolServerUse,
  signal: AbortSignal,
): Promise<McpTools> {
  const wanted = serversOf(tools);
  if (wanted.size === 0) return { tools: {}, close: async () => undefined };
  if (!toolServers)
    throw new ThermidorFailure('tool.failed', `agent "${id}" lists ${[...wanted.keys()].join(', ')}, but no tool servers are set up here`);
  const enough = new AbortController();
  const within = AbortSignal.any([signal, enough.signal]);
  const opening = [...wanted].map(async ([name, listed]) => {
    const command = Object.hasOwn(own, name) ? own[name] : undefined;
    const use = { ...at, ...(listed.has(ALL) ? {} : { only: listed }), ...defined({ command }) };
    return { name, listed, server: await toolServers.open(name, use, within) };
  });
  // The first that cannot be opened cancels the others, so that nobody waits for them.
  const failures: unknown[] = [];
  for (const one of opening)
    one.catch((error: unknown) => {
      failures.push(error);
      enough.abort(error);
    });
  const opened = (await Promise.allSettled(opening)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const close = async () => {
    await Promise.allSettled(opened.map(({ server }) => server.close()));
  };
  try {
    signal.throwIfAborted();
    if (failures.length > 0) throw failures[0];
    const entries = opened.flatMap(({ name, listed, server }) => toolsOf(id, name, server, listed));
    return { tools: Object.fromEntries(entries), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const ALL = '*';

/** The listed tools by server. */
function serversOf(tools: readonly string[]): Map<string, Set<string>> {
  const servers = new Map<string, Set<string>>();
  for (const entry of tools) {
    const { server, tool = ALL } = serverEntry(entry) ?? {};
    if (server !== undefined) servers.set(server, (servers.get(server) ?? new Set()).add(tool));
  }
  return servers;
}

function toolsOf(agent: string, name: string, server: ToolServer, listed: ReadonlySet<string>): [string, Tool][] {
  const has = server.tools.map((tool) => tool.name);
  const missing = [...listed].filter((tool) => tool !== ALL && !has.includes(tool));
  if (missing.length > 0) {
    const problem = `agent "${agent}" lists ${missing.map((tool) => `mcp__${name}__${tool}`).join(', ')}, which the server does not offer, or not in a usable form`;
    throw new ThermidorFailure('tool.failed', `${problem}; it has: ${someOf(server.names)}`, { server: name, missing });
  }
  return server.tools
    .filter((tool) => listed.has(ALL) || listed.has(tool.name))
    .map(({ name: own, description, parameters }): [string, Tool] => [
      `mcp__${name}__${own}`,
      {
        description,
        parameters,
        listedOnly: true,
        async call(args, use) {
          const { text, failed } = await server.call(own, args, use.signal);
          return { text: failed ? `The tool failed:\n${text}` : text };
        },
      },
    ]);
}

const MOST_NAMES = 50;

function someOf(names: readonly string[]): string {
  if (names.length <= MOST_NAMES) return names.join(', ') || 'none';
  return `${names.slice(0, MOST_NAMES).join(', ')}, and ${names.length - MOST_NAMES} more`;
}
