import type { Seat, TryScope } from '../seat';
import { openServerTools } from './server-tools';

/**
 * Lets whoever sits there work with the tools of the servers that it lists, as far as the step allows them. They have ended when
 * the promise settles. A script stands in for what they would say, and a program brings its own.
 */
export async function withServerTools<T>(scope: TryScope, seat: Seat, signal: AbortSignal, work: (seat: Seat) => Promise<T>): Promise<T> {
  const { toolbox, run } = scope;
  const tools = (seat.agent.tools ?? []).filter((tool) => tool.startsWith('mcp__'));
  if (tools.length === 0 || run.script || seat.adapter.ownTools) return await work(seat);
  const log = (message: string) => toolbox.log('warn', message, { agent: seat.agent.id });
  const opened = await openServerTools(toolbox, { id: seat.agent.id, tools }, { cwd: await scope.folder(), log }, signal);
  try {
    return await work({ ...seat, serverTools: opened.tools });
  } finally {
    await opened.close();
  }
}
