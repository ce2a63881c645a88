import { defined } from '../../plan/defined';
import type { ListPage } from '../../plan/steps/container-activities';
import type { Json } from '../../plan/text/json';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { stored } from '../../workflows/interpreter/patterns/parts';
import { type Board, keptOf, pagesSleeper, stateOf } from './board';

const PAGE_TASKS = 100;

/** Puts completed tasks that have left the board into the store, page by page: what a run keeps does not grow with them. */
export async function keepPages(board: Board, ctx: StepContext): Promise<void> {
  const { it, place } = board;
  await ctx.loop<null, null>('pages', null, async (turn) => {
    const number = await turn.awaited('next', { sleeper: pagesSleeper(board) }, () => nextPage(board));
    if (!number) return { done: null };
    const last = await stored(it, place, turn, `page-${number}`, () => pageOf(board));
    turn.once('kept', () => {
      const kept = keptOf(board);
      Object.assign(kept, { pages: { last, count: number }, left: kept.left?.slice(PAGE_TASKS) });
      return null;
    });
    return { next: null };
  });
}

/** The number of the page that is full now; 0 if there will be none any more. */
function nextPage(board: Board): number | undefined {
  const { left = [], pages } = keptOf(board);
  if (stateOf(board).over !== undefined) return 0;
  return left.length < PAGE_TASKS ? undefined : (pages?.count ?? 0) + 1;
}

/** The same in each execution: more tasks come only behind these. */
function pageOf(board: Board): Json {
  const { left = [], pages } = keptOf(board);
  const page: ListPage = { before: pages?.last ?? null, items: left.slice(0, PAGE_TASKS) };
  return { ...page, before: page.before && defined({ ...page.before }) };
}
