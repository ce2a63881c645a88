import type { DecisionAnswer, DecisionRequest } from '../../plan/agents/decision';
import type { BoardLimits } from '../../plan/board/board-state';
import type { Exchange } from '../../plan/board/exchange';
import type { BoardAnswer } from '../../plan/board/request';
import { WHOLE_RESULT } from '../../plan/board/task';
import { defined } from '../../plan/defined';
import type { AskedBy } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import { failureOfEntry } from '../../workflows/interpreter/context/scope-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { receiveEarly } from '../../workflows/interpreter/inbound/inbound';
import type { Interpreter, KindCode } from '../../workflows/interpreter/interpreter';
import { withinTime } from '../../workflows/interpreter/patterns/within-time';
import type { Place, PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { kindStateOf } from '../../workflows/interpreter/state/kind-state';
import { QUICK_ACTIVITY_MS } from '../../workflows/interpreter/steps/activity-timeouts';
import { readable } from '../../workflows/interpreter/steps/step-input';
import { askersOf, askersSleeper, type Board, clockSleeper, isSame, keptOf, stateOf, tell } from './board';
import { planForBoard, refusalWords } from './commands';
import { boardDetails } from './details';
import { newBoard } from './machine/machine';
import { nextRequestDue, overdueRequest } from './machine/requests';
import { isForgone } from './machine/tasks';
import { keepPages } from './pages';
import { resultOf, unfinished } from './result';
import { answerAskers } from './run-askers';
import { landInSlot } from './run-landing';
import { workInSlot } from './run-member';
import { askPeople } from './run-people';
import { noteUse } from './work-use';
import { changedIn } from './worktrees';

/**
 * A board from which members claim their tasks themselves (docs/steps/board.md).
 *
 * Invariants: 1. the machine alone changes the board (`kinds/board/machine/machine.ts`), each event in one synchronous step; 2. each slot
 * has a coroutine, and each WORK of a member a turn of its agent's part; 3. what waits for a moment waits for it once: nothing is polled.
 */
export async function performBoard(it: Interpreter, place: PlaceOf<'board'>, ctx: StepContext): Promise<undefined> {
  const board: Board = { it, place };
  await open(board, ctx);
  const slots = Array.from({ length: place.step.mostMembers }, (_, at) => at + 1);
  const { failed } = await withinTime(it, place, ctx, place.step.timeoutMs, (inTime) =>
    inTime.all(
      'team',
      {
        ...Object.fromEntries(slots.map((slot) => [`slot-${slot}`, (own: StepContext) => workInSlot(board, own, slot)])),
        ...(place.step.lands
          ? Object.fromEntries(slots.map((slot) => [`landing-${slot}`, (own: StepContext) => landInSlot(board, own, slot)]))
          : {}),
        ...Object.fromEntries(slots.map((slot) => [`plans-${slot}`, (own: StepContext) => askPeople(board, own, 'plan')])),
        ...Object.fromEntries(slots.map((slot) => [`held-${slot}`, (own: StepContext) => askPeople(board, own, 'task')])),
        clock: (own) => watchRequests(board, own),
        pages: (own) => keepPages(board, own),
        askers: (own) => answerAskers(board, own),
      },
      { enough: (ended) => Object.values(ended).some(({ failure }) => failure) },
    ),
  );
  const [failure] = Object.values(failed);
  if (failure) throw failureOfEntry(failure);
  const end = ctx.once('end', () => resultOf(board));
  const left = stateOf(board).tasks.filter((task) => task.status !== 'completed' && !isForgone(task));
  // A team that is stopped leaves its tasks to the run that takes up its board.
  if (stateOf(board).over !== 'done' && place.step.until !== 'stopped') throw unfinished(board, end, left);
  const last = ctx.once('last-page', () => keptOf(board).pages?.last ?? null);
  await composeOutput(it, place, { kind: 'pages', value: end, list: 'tasks', by: 'number', last, whole: { result: WHOLE_RESULT } });
  return undefined;
}

/** The texts of the file are rendered and stored; the board opens with them, or goes on where an earlier try has left it. */
async function open(board: Board, ctx: StepContext): Promise<void> {
  const { it, place } = board;
  const { run } = it;
  ctx.once('opening', () => {
    keptOf(board).isOpening = true;
    return null;
  });
  const input = () => ({ ...readable(run, place, place.step.inputs), step: place.step.id });
  const { tasks, members } = await ctx.call('open', 'openBoard', input, {
    address: `${run.address(place.path)}/open`,
    startToCloseMs: QUICK_ACTIVITY_MS,
  });
  const refused = ctx.once('opened', (): Json => {
    const kept = keptOf(board);
    delete kept.isOpening;
    if (kept.board) {
      // Nobody waits any more for what the try before has asked.
      kept.asks = { asked: kept.asks?.asked ?? 0, open: [] };
      delete kept.landings;
      const goesOn = place.step.until === 'stopped';
      const answer = tell(board, goesOn ? { kind: 'taken-up', limits: limitsOf(board), members, tasks } : { kind: 'again' });
      if (answer?.refused) return answer.said;
    } else {
      kept.board = newBoard(place.step.team, limitsOf(board));
      const answer = tell(board, { kind: 'opened', members, tasks });
      // The next try reads the list anew.
      if (answer?.refused) {
        delete kept.board;
        return answer.said;
      }
    }
    return null;
  });
  if (refused === null) ctx.once('early', () => receiveEarly(it) ?? null);
  else throw new ThermidorFailure('board.bad-tasks', `${run.name(place.path)} cannot use its tasks: ${refusalWords(refused)}`, refused);
}

function limitsOf({ place }: Board): BoardLimits {
  const { mostMembers, idleMs, shutdownMs, attempts, taskBudget, until, spawns, lands } = place.step;
  const worktrees = place.step.worktrees ? 'all' : place.step.worktree && 'asked';
  const takesAnyRole = until === 'stopped' || undefined;
  return {
    ...{ members: mostMembers, idleMs, shutdownMs, attempts, until, spawns: [...spawns] },
    ...defined({ taskBudget, takesAnyRole, worktrees, lands: lands && (true as const) }),
  };
}

/** Ends requests that nobody has answered in time. */
async function watchRequests(board: Board, ctx: StepContext): Promise<void> {
  await ctx.loop<null, null>('requests', null, async (turn) => {
    const due = turn.once('due', () => nextRequestDue(stateOf(board)) ?? null);
    const changed = await turn.awaited('changed', { sleeper: clockSleeper(board), ...(due === null ? {} : { dueMs: due }) }, () => {
      const state = stateOf(board);
      if (state.over !== undefined) return 'over' as const;
      return (nextRequestDue(state) ?? null) === due ? undefined : ('again' as const);
    });
    if (changed === 'over') return { done: null };
    if (changed === undefined)
      turn.once('overdue', () => {
        const requestId = overdueRequest(stateOf(board), board.it.run.ctx.now());
        if (requestId === undefined) return null;
        const { to = '' } = stateOf(board).requests.find(({ id }) => id === requestId) ?? {};
        noteUse(board, to);
        tell(board, { kind: 'request-overdue', requestId });
        return null;
      });
    return { next: null };
  });
}

/**
 * Decides what a member asks by a call of a tool. Who asks is known by the turn of the part, and not by what the call says. Undefined: the
 * answer comes later.
 */
export function decideOnBoard(
  it: Interpreter,
  place: PlaceOf<'board'>,
  part: Place,
  { id, request }: Pick<DecisionRequest, 'id' | 'request'>,
): BoardAnswer | undefined {
  const board = { it, place };
  const state = stateOf(board);
  const member = state.members.find(({ work }) => work !== undefined && work.number === part.frame.iteration);
  if (!member) return { said: 'your work is over: end your turn', refused: true };
  noteUse(board, member.name);
  const commit = member.work && changedIn(board, member.work);
  return tell(board, { kind: 'asked', member: member.name, id, request, ...defined({ commit }) });
}

/**
 * Takes up what a member has sent and read, and decides what it asks. Who it is, is known by the turn of the part, and not by what a
 * message says. What is not decided yet has no answer here: the member's try pauses for it.
 */
export function takeExchanges(it: Interpreter, place: PlaceOf<'board'>, part: Place, exchanges: readonly Exchange[]): DecisionAnswer[] {
  const name = it.run.record(part.path).brief?.member?.name;
  if (name === undefined) return [];
  const board = { it, place };
  return exchanges.flatMap(({ sent, read, asked }) => {
    if (read) tell(board, { kind: 'read', member: name, messages: read });
    if (sent) tell(board, { kind: 'sent', message: { ...sent, from: name } });
    const answer = asked && decideOnBoard(it, place, part, asked);
    return answer ? [{ ...answer, id: asked.id }] : [];
  });
}

/** What people send to a run's boards. */
export const commandBoard: KindCode['command'] = (it, name, payload) => planForBoard(it, name, payload);

export const lookUpBoards: KindCode['boards'] = (it, inbox) => boardDetails(it, inbox);
/** Anybody may send a wake: more are dropped, and a run that waits for a task asks again. */
const MOST_LOOKS = 200;

/** A run has a task for the team in its ledger, or needs one no longer. The board that is open looks there. */
export function noteAsked({ run }: Interpreter, asked: AskedBy): void {
  for (const [path, record] of run.index.live(run.state.records)) {
    const kept = kindStateOf(record, 'board');
    if (!kept?.board || kept.board.over !== undefined) continue;
    const { look, tell: news } = askersOf(kept);
    if (look.length < MOST_LOOKS && !look.some((one) => isSame(one, asked))) kept.askers = { look: [...look, asked], tell: news };
    run.wake(askersSleeper(path));
    return;
  }
}
