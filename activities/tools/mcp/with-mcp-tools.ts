import { serverEntry } from '../../../plan/agents/tool-names';
import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { AgentSession, AttemptScope } from '../../agent/agent-session';
import { openMcpTools } from './mcp-tools';

/**
 * Lets the agent work with the tools of its listed servers, as far as the step allows them. The servers have ended when the promise
 * settles. A script replaces their answers. A program cannot have them, because its calls could not be checked: one that lists them fails
 * with `tool.failed`, before anything is paid for.
 */
export async function withMcpTools<T>(
  scope: AttemptScope,
  session: AgentSession,
  signal: AbortSignal,
  work: (session: AgentSession) => Promise<T>,
): Promise<T> {
  const { toolbox, run, secrets } = scope;
  const tools = (session.agent.tools ?? []).filter((tool) => serverEntry(tool) !== undefined);
  if (tools.length === 0 || run.script) return await work(session);
  if (session.adapter.ownTools) throw notForPrograms(session, tools);
  const printed = scope.log.program();
  const log = (message: string) => {
    toolbox.log('warn', secrets.mask(message), { agent: session.agent.id });
    printed('stderr', Buffer.from(`${message}\n`));
  };
  const opened = await openMcpTools(
    toolbox,
    { id: session.agent.id, tools },
    { cwd: await scope.folder(), log, mask: secrets.mask, ...defined({ env: scope.tree?.env }) },
    signal,
  );
  try {
    return await work({ ...session, serverTools: opened.tools });
  } finally {
    await opened.close();
  }
}

function notForPrograms({ agent, adapter }: AgentSession, tools: readonly string[]): ThermidorFailure {
  const message = `agent "${agent.id}" lists ${tools.join(', ')}: the program of adapter "${adapter.name}" does not support tool servers`;
  const hint = 'take them out of its `tools:`, or let a service run it';
  return new ThermidorFailure('tool.failed', `${message}; ${hint}`, { agent: agent.id, adapter: adapter.name, tools: [...tools] });
}
