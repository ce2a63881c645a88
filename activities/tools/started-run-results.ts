import { readChildMessage } from '../../plan/run/child';
import type { AgentSession, AttemptScope } from '../agent/agent-session';
import { messagesTo } from '../run/run-messages';

/** Ends of runs that the agent has started: the agent reads each with the result of its next call. */
export async function startedRunResults(
  { input, toolbox, call }: AttemptScope,
  { transcript }: AgentSession,
): Promise<{ text: string; announced: string[] }> {
  const before = new Set(transcript.effects().flatMap(({ announced = [] }) => announced));
  const news = await Promise.all(
    (input.started ?? [])
      .filter(({ workflowId }) => !before.has(workflowId))
      .map(async (one) => {
        const said = (await messagesTo(toolbox.ledger, one, call.key)).map(readChildMessage).find((says) => says?.kind === 'ended');
        return said?.kind === 'ended' ? [{ run: one.workflowId, state: said.state }] : [];
      }),
  );
  const ended = news.flat();
  return {
    text: ended.map(({ run, state }) => `\n\n[The run ${run} that you started has ended: ${state}.]`).join(''),
    announced: ended.map(({ run }) => run),
  };
}
