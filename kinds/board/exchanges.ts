import { pageOf } from '../../plan/board/exchange';
import type { WorkOrder } from '../../plan/board/work-order';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { SHORT_ACTIVITY_MS } from '../../workflows/interpreter/steps/activity-timeouts';
import { type Board, inboxSleeper, stateOf } from './board';

/** Messages on their way to members that work. */

/** The log of the ledger in which a member finds what comes during its WORK. */
export function inboxOf({ it, place }: Board, { number }: WorkOrder): string {
  return `${it.run.address(place.path)}/work-${number}/inbox`;
}

/** Puts what comes for a member during its WORK where its agent looks, until the WORK is over. */
export async function postNews(board: Board, ctx: StepContext, name: string, order: WorkOrder): Promise<never> {
  const { run } = board.it;
  const inbox = inboxOf(board, order);
  return await ctx.loop<string | null, never>('inbox', null, async (turn, last) => {
    await turn.awaited('came', { sleeper: inboxSleeper(board, name) }, () =>
      newsAfter(board, name, order, last).length > 0 ? true : undefined,
    );
    const posted = turn.once('next', () => newsAfter(board, name, order, last).at(-1)?.id ?? last);
    const input = () => ({ run: run.ctx.info.firstRunId, log: inbox, lines: newsAfter(board, name, order, last) });
    await turn.call('post', 'post', input, { startToCloseMs: SHORT_ACTIVITY_MS });
    return { next: posted };
  });
}

/**
 * Members read in order: if the last one that was posted is gone, so are those before it. Those that the WORK began with are no news, and
 * stay in the inbox until its end. One that is posted twice is read once.
 */
function newsAfter(board: Board, name: string, { messages: begun = [] }: WorkOrder, last: string | null) {
  const inbox = stateOf(board).members.find((member) => member.name === name)?.inbox ?? [];
  const news = inbox.filter(({ id }) => !begun.includes(id));
  return pageOf(news.slice(news.findIndex(({ id }) => id === last) + 1));
}
