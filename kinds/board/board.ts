import type { BoardState, MemberState, TaskState } from '../../plan/board/board-state';
import { type BoardMessage, LEAD } from '../../plan/board/message';
import type { BoardNote } from '../../plan/board/note';
import type { BoardAnswer } from '../../plan/board/request';
import { type AskedBy, ticketId } from '../../plan/queue/ticket';
import { bug } from '../../plan/run/failure';
import { unreachable } from '../../plan/unreachable';
import { wakeForDecision } from '../../workflows/interpreter/agents/decisions';
import { channelOf } from '../../workflows/interpreter/agents/run-requests';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { notifyChannel } from '../../workflows/interpreter/messages/notification-outbox';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { openKindState } from '../../workflows/interpreter/state/kind-state';
import type { BoardDecision, BoardEvent } from './machine/events';
import { handle } from './machine/machine';
import { dueOf, findMember } from './machine/members';
import { taskRow } from './rows';
import { type BoardKept, type PersonQuestion, REFUSED_KEPT, TO_PEOPLE_KEPT } from './state';

/** A board's step, for its code: the machine, and what follows from its decisions. */
export interface Board {
  it: Interpreter;
  place: PlaceOf<'board'>;
}

export function keptOf({ it, place }: Board): BoardKept {
  return openKindState(it.run.record(place.path), 'board');
}

export function stateOf(board: Board): BoardState {
  const state = keptOf(board).board;
  if (!state) throw bug(`${board.it.run.name(board.place.path)} has no board yet`);
  return state;
}

/** Who has a slot: the last one that was spawned there. */
export function memberIn({ members }: BoardState, slot: number): MemberState | undefined {
  return members.find((member) => member.slot === slot);
}

/** Synchronous: the machine, the journal and the wakes are one step. Returns the answer to who asked. */
export function tell(board: Board, event: BoardEvent): BoardAnswer | undefined {
  const { it } = board;
  const state = stateOf(board);
  const before = new Map(state.members.map((member) => [member.slot, positionOf(state, member)]));
  const had = new Map(state.members.map(({ name, inbox }) => [name, inbox.at(-1)?.id]));
  const { answer, decisions } = handle(state, event, it.run.ctx.now());
  for (const decision of decisions) follow(board, decision);
  if (event.kind === 'sent' && !answer?.refused) noteAnswered(board, event.message);
  for (const member of state.members) {
    const { name, slot, inbox } = member;
    if (before.get(slot) !== positionOf(state, member)) it.run.wake(slotSleeper(board, slot));
    if (had.get(name) !== inbox.at(-1)?.id) it.run.wake(inboxSleeper(board, name));
  }
  it.run.wake(clockSleeper(board));
  for (const { number } of keptOf(board).asks?.open ?? []) if (number !== undefined) it.run.wake(mootSleeper(board, number));
  it.run.wake(askersSleeper(board.place.path));
  it.changed();
  return answer;
}

/** What a slot's coroutine waits for depends on this. */
function positionOf(state: BoardState, member: MemberState): string {
  const { name, status, work } = member;
  return `${name} ${status} ${dueOf(state, member)} ${work?.number}`;
}

function follow(board: Board, decision: BoardDecision): void {
  const { it, place } = board;
  switch (decision.kind) {
    case 'work':
      // Its slot is woken, because its position has changed.
      return;
    case 'answered':
      wakeForDecision(it.run, decision.id);
      return;
    case 'end-work':
      it.run.wake(cutSleeper(board, decision.member));
      return;
    case 'land':
      landLater(board, decision.task);
      return;
    case 'ask-person':
      askLater(board, { kind: 'task', task: decision.task });
      return;
    case 'ask-plan':
      askLater(board, { kind: 'plan', requestId: decision.requestId, message: decision.message });
      return;
    case 'leaves':
      turnToPage(board, decision.task);
      return;
    case 'to-person':
      tellPerson(board, decision.message);
      return;
    case 'report':
      reportLater(board, decision);
      return;
    case 'note':
      it.run.journal.add({ kind: 'board', step: it.run.name(place.path), ...decision.note });
      noteRefused(board, decision.note);
      return;
    case 'over':
      it.run.wake(pagesSleeper(board));
      it.run.wake(peopleSleeper(board));
      for (let slot = 1; slot <= place.step.mostMembers; slot++) {
        it.run.wake(slotSleeper(board, slot));
        it.run.wake(landingSleeper(board, slot));
      }
      return;
    default:
      unreachable(decision);
  }
}

function reportLater(board: Board, { asked, outcome }: Extract<BoardDecision, { kind: 'report' }>): void {
  const kept = keptOf(board);
  const { look, tell: news } = askersOf(kept);
  kept.askers = { look, tell: [...news, { asked, outcome }] };
}

/** A completed task leaves the state for the next page. */
function turnToPage(board: Board, task: TaskState): void {
  const kept = keptOf(board);
  kept.left = [...(kept.left ?? []), taskRow(task)];
  board.it.run.wake(pagesSleeper(board));
}

function landLater(board: Board, task: number): void {
  const { commit = '', offers = 0 } = stateOf(board).tasks.find(({ number }) => number === task) ?? {};
  const kept = keptOf(board);
  kept.landings = [...(kept.landings ?? []), { task, offers, commit }];
  keepLeft(board, task, commit);
  for (let slot = 1; slot <= board.place.step.mostMembers; slot++) board.it.run.wake(landingSleeper(board, slot));
}

/** The slot of a task's worktree: `team[3]` is that of task #3. */
export function slotOfTask({ place }: Board, task: number): string {
  return `${place.path}[${task}]`;
}

/** A rerun begins with what was left in a worktree. */
export function keepLeft(board: Board, task: number, commit: string): void {
  const kept = keptOf(board);
  kept.worktrees = { ...kept.worktrees, [task]: { slot: slotOfTask(board, task), commit } };
}

function noteRefused(board: Board, note: BoardNote): void {
  if (note.event !== 'undelivered') return;
  const kept = keptOf(board);
  const { from, to, type, reason = '' } = note;
  const at = new Date(board.it.run.ctx.now()).toISOString();
  kept.refused = [...(kept.refused ?? []), { from, to, type, at, reason }].slice(-REFUSED_KEPT);
}

/** The message is kept with the board, and goes to a channel. */
function tellPerson(board: Board, message: BoardMessage): void {
  const { it, place } = board;
  const kept = keptOf(board);
  kept.toPeople = [...(kept.toPeople ?? []), message].slice(-TO_PEOPLE_KEPT);
  const { team } = stateOf(board);
  const to = message.to === LEAD ? `the lead of ${team}` : message.to;
  const text = `${message.from} to ${to}: ${message.content}`;
  notifyChannel(it, { path: place.path, channel: channelOf(it.run.plan.escalation ?? []), message: text, kind: 'message' });
  it.changed('gates');
}

/** A person has written to a member. */
function noteAnswered(board: Board, { type, from, to }: Extract<BoardEvent, { kind: 'sent' }>['message']): void {
  const kept = keptOf(board);
  if (type !== 'message' || !kept.toPeople || findMember(stateOf(board), from)) return;
  kept.toPeople = kept.toPeople.map((one) => (one.from === to ? { ...one, answered: true } : one));
  board.it.changed('gates');
}

function askLater(board: Board, about: PersonQuestion): void {
  const kept = keptOf(board);
  kept.asks = { asked: kept.asks?.asked ?? 0, open: [...(kept.asks?.open ?? []), { about }] };
  board.it.run.wake(peopleSleeper(board));
}

export function slotSleeper({ place }: Board, slot: number): string {
  return `board:${place.path}:slot-${slot}`;
}

/** A task is to be landed. */
export function landingSleeper({ place }: Board, slot: number): string {
  return `board:${place.path}:landing-${slot}`;
}

/** Something has come for a member. */
export function inboxSleeper({ place }: Board, member: string): string {
  return `board:${place.path}:inbox-${member}`;
}

export function cutSleeper({ place }: Board, member: string): string {
  return `board:${place.path}:cut-${member}`;
}

/** There is something to ask people. */
export function peopleSleeper({ place }: Board): string {
  return `board:${place.path}:people`;
}

/** A question may need no answer any more. */
export function mootSleeper({ place }: Board, question: number): string {
  return `board:${place.path}:moot-${question}`;
}

export function pagesSleeper({ place }: Board): string {
  return `board:${place.path}:pages`;
}

/** Where to look for tasks, and what to tell of them. */
export function askersOf({ askers }: BoardKept): NonNullable<BoardKept['askers']> {
  return askers ?? { look: [], tell: [] };
}

export function isSame(one: AskedBy, other: AskedBy): boolean {
  return ticketId(one) === ticketId(other);
}

/** A run may have asked for a task, or waits for what has come of one. */
export function askersSleeper(path: string): string {
  return `board:${path}:askers`;
}

export function clockSleeper({ place }: Board): string {
  return `board:${place.path}:clock`;
}
