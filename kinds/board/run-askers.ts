import type { ReadAskedTask } from '../../plan/board/asked-task';
import { askingRun } from '../../plan/board/message';
import type { TaskNumber } from '../../plan/board/task';
import type { AskedBy } from '../../plan/queue/ticket';
import { field } from '../../plan/text/json';
import { shortened } from '../../plan/text/shortened';
import { unreachable } from '../../plan/unreachable';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { SHORT_ACTIVITY_MS } from '../../workflows/interpreter/steps/activity-timeouts';
import { askersOf, askersSleeper, type Board, isSame, keptOf, stateOf, tell } from './board';
import { refusalWords } from './commands';

/** Tasks that are read or settled at once. */
const AT_ONCE = 20;
/** In characters. */
const LONGEST_BY = 200;

/**
 * Takes tasks for which other runs wait onto the board, and tells those runs what comes of them, until the board is over.
 *
 * Invariants: 1. what is asked is read from the ledger of the run that asks; 2. a task that is read while its end is on the way to the
 * ledger is not taken again; 3. an end is forgotten here only when the ledger has it.
 */
export async function answerAskers(board: Board, ctx: StepContext): Promise<void> {
  const { it, place } = board;
  const { run } = it;
  const options = { startToCloseMs: SHORT_ACTIVITY_MS };
  await ctx.loop<null, null>('askers', null, async (turn) => {
    const next = await turn.awaited('next', { sleeper: askersSleeper(place.path) }, () => nextOf(board));
    if (next !== 'go') return { done: null };
    const asked = turn.once('asked', () => takeLooks(board));
    const read =
      asked.length === 0 ? [] : await turn.call('read', 'readAskedTasks', () => ({ run: run.ctx.info.firstRunId, asked }), options);
    const taken = turn.once('taken', () => read.flatMap((found, at) => takeUp(board, asked[at], found)));
    const outcomes = turn.once('outcomes', () => askersOf(keptOf(board)).tell.slice(0, AT_ONCE));
    if (taken.length + outcomes.length > 0)
      await turn.call('settle', 'settleAskedTasks', () => ({ run: run.ctx.info.firstRunId, taken, outcomes }), options);
    turn.once('told', () => {
      const kept = keptOf(board);
      const { look, tell: news } = askersOf(kept);
      kept.askers = { look, tell: news.slice(outcomes.length) };
      return null;
    });
    return { next: null };
  });
}

/** What was asked when the board is over waits for the next run of the team. */
function nextOf(board: Board): 'go' | 'end' | undefined {
  const { look, tell: news } = askersOf(keptOf(board));
  if (stateOf(board).over !== undefined) return news.length > 0 ? 'go' : 'end';
  return look.length + news.length > 0 ? 'go' : undefined;
}

/** A wake that comes while these are read causes another look. */
function takeLooks(board: Board): AskedBy[] {
  const kept = keptOf(board);
  const { look, tell: news } = askersOf(kept);
  if (stateOf(board).over !== undefined) return [];
  kept.askers = { look: look.slice(AT_ONCE), tell: news };
  return look.slice(0, AT_ONCE);
}

function takeUp(board: Board, asked: AskedBy | undefined, found: ReadAskedTask): { asked: AskedBy; id: TaskNumber }[] {
  const kept = keptOf(board);
  if (!asked || askersOf(kept).tell.some((one) => isSame(one.asked, asked))) return [];
  switch (found.kind) {
    case 'known':
      return [];
    case 'withdrawn':
      tell(board, { kind: 'withdrawn', asked });
      return [];
    case 'task': {
      if (stateOf(board).over !== undefined) return [];
      const answer = tell(board, { kind: 'task', task: found.task, by: shortened(askingRun(asked.workflowId), LONGEST_BY), asked });
      const id = field(field(answer?.said, 'created'), 'id');
      if (typeof id === 'number') return [{ asked, id }];
      const { look, tell: news } = askersOf(kept);
      const message = refusalWords(answer?.said ?? null);
      kept.askers = { look, tell: [...news, { asked, outcome: { kind: 'refused', message } }] };
      return [];
    }
    default:
      return unreachable(found);
  }
}
