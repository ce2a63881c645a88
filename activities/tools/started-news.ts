import { readChildNews } from '../../plan/child';
import type { Seat, TryScope } from '../agent/seat';
import { saidTo } from '../run/line';

/** Ends of runs that the agent has started: the agent reads each with the result of its next call. */
export async function startedNews({ input, toolbox, call }: TryScope, { transcript }: Seat): Promise<{ text: string; told: string[] }> {
  const before = new Set(transcript.effects().flatMap(({ told = [] }) => told));
  const news = await Promise.all(
    (input.started ?? [])
      .filter(({ workflowId }) => !before.has(workflowId))
      .map(async (one) => {
        const said = (await saidTo(toolbox.ledger, one, call.key)).map(readChildNews).find((says) => says?.kind === 'ended');
        return said?.kind === 'ended' ? [{ run: one.workflowId, state: said.state }] : [];
      }),
  );
  const ended = news.flat();
  return {
    text: ended.map(({ run, state }) => `\n\n[The run ${run} that you started has ended: ${state}.]`).join(''),
    told: ended.map(({ run }) => run),
  };
}
