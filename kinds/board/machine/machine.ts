import { type BoardLimits, type BoardState, KEYS_KEPT } from '../../../plan/board/board-state';
import { BOARD, type BoardMessage } from '../../../plan/board/message';
import type { BoardAnswer } from '../../../plan/board/request';
import { unreachable } from '../../../plan/unreachable';
import { ask } from './asked';
import { askedTask, reportLeft } from './askers';
import type { BoardEvent, BoardOutcome } from './events';
import type { Handling } from './handling';
import { answerRequest, askToShutDown, askToShutDownAll, expire } from './handshakes';
import { comeBack, land, offerAgain } from './landing';
import { findMember, fits, idleDue, lives } from './members';
import { comesBack, deliver, isNew, read } from './messages';
import { addTasks } from './new-tasks';
import { beginAnew, open } from './openings';
import { failWork, recover } from './recovery';
import { accept, refuse } from './refusals';
import { takeReport } from './reports';
import { isOverdue } from './requests';
import { serve, startAgain } from './serve';
import { spawn } from './spawns';
import { takeUp } from './take-up';
import { charge, renewBudget } from './task-budget';
import { drop, findTask, hopelessTasks, isForgone, numberOfKey, taskSaid, withdraw } from './tasks';
import { endWork, leave, losePlace } from './works';

/**
 * The board as a pure machine: an event goes in, an answer and decisions come out. It changes the given state, and nothing else. It never
 * throws for what comes from outside: what is wrong, late or forged is refused or changes nothing. `BoardState` has the invariants, which
 * hold after each event.
 */

export function newBoard(team: string, limits: BoardLimits): BoardState {
  return { team, limits, tasks: [], next: 1, names: [], members: [], works: 0, requests: [], sent: [], written: 0 };
}

export function handle(state: BoardState, event: BoardEvent, atMs: number): BoardOutcome {
  const h: Handling = { state, atMs, decisions: [] };
  const answer = taken(h, event);
  serve(h);
  conclude(h);
  return { ...(answer ? { answer } : {}), decisions: h.decisions };
}

function taken(h: Handling, event: BoardEvent): BoardAnswer | undefined {
  const { state, atMs } = h;
  switch (event.kind) {
    case 'opened':
      return open(h, event);
    case 'again':
      beginAnew(h);
      return undefined;
    case 'taken-up':
      return takeUp(h, event);
    case 'asked':
      return ask(h, event);
    case 'work-ended': {
      const member = findMember(state, event.member);
      if (member?.status === 'working' && event.report) takeReport(h, member, event.report, event.commit);
      if (member) endWork(h, member, event.end, event.short);
      return undefined;
    }
    case 'work-failed': {
      const member = findMember(state, event.member);
      const reason = `${event.code}: ${event.reason}`;
      if (member?.status === 'working' && event.isPlace && member.work?.worktree !== undefined) losePlace(h, member, reason);
      else if (member?.status === 'working') failWork(h, member, event.code, reason);
      return undefined;
    }
    case 'landed':
    case 'came-back': {
      const task = state.over ? undefined : findTask(state, event.task);
      if (!task || task === 'done') return undefined;
      if (event.kind === 'landed') land(h, task, event.commit);
      else comeBack(h, task, event);
      return undefined;
    }
    case 'used': {
      const member = findMember(state, event.member);
      if (member) charge(h, member, event.used);
      return undefined;
    }
    case 'sent':
      return send(h, event.message);
    case 'read': {
      const member = findMember(state, event.member);
      if (member) read(member, event.messages);
      return undefined;
    }
    case 'idle-over': {
      const member = findMember(state, event.member);
      const due = member && idleDue(state, member);
      if (member && due !== undefined && due <= atMs) leave(h, member, 'shutdown', 'nothing came for it');
      return undefined;
    }
    case 'comes-back': {
      const member = findMember(state, event.member);
      if (member) recover(h, member);
      return undefined;
    }
    case 'request-overdue': {
      const request = state.requests.find(({ id }) => id === event.requestId);
      if (request && isOverdue(request, atMs)) expire(h, request);
      return undefined;
    }
    case 'task':
      return takeTask(h, event);
    case 'withdrawn':
      withdraw(h, event.asked);
      return undefined;
    case 'spawn':
      return spawn(h, { name: event.by, isPerson: true }, event.member);
    case 'decided':
      decideHeld(h, event);
      return undefined;
    case 'drain':
      if (state.over || state.isDraining) return undefined;
      state.isDraining = true;
      askToShutDownAll(
        h,
        state.members.filter(({ status }) => status === 'working'),
        BOARD,
        `${event.by} ends the team: end what you are at, and agree`,
      );
      return undefined;
    default:
      return unreachable(event);
  }
}

function send(h: Handling, sent: Extract<BoardEvent, { kind: 'sent' }>['message']): BoardAnswer {
  const { state } = h;
  if (state.over) return refuse('board_over', 'the team has ended');
  if (!isNew(h, sent.id)) return accept({ sent: [] });
  const from = findMember(state, sent.from)?.name ?? sent.from;
  const others = state.members.filter((member) => lives(member) && member.name !== from).map(({ name }) => name);
  const names = sent.to === undefined ? others : [sent.to];
  const failed = names.flatMap((to) => post(h, { ...sent, from, to }) ?? []);
  if (names.length === 0) {
    comesBack(h, { ...sent, from, to: 'all' }, 'nobody else is there');
    failed.push('nobody else is there');
  }
  const [reason] = failed;
  return reason === undefined ? accept({ sent: names }) : refuse('undelivered', reason);
}

/** Returns why it was not delivered. */
function post(h: Handling, message: BoardMessage): string | undefined {
  switch (message.type) {
    case 'message':
    case 'broadcast':
      return deliver(h, message);
    case 'shutdown_request':
      return askToShutDown(h, message);
    case 'shutdown_response':
    case 'plan_approval_response':
      return answerRequest(h, message);
    default: {
      const reason = 'a plan is submitted by submit_plan';
      comesBack(h, message, reason);
      return reason;
    }
  }
}

/** A team that drains and comes back takes what has come meanwhile; one that ends for good does not. */
function takeTask(h: Handling, { task, by, key, asked }: Extract<BoardEvent, { kind: 'task' }>): BoardAnswer {
  const { state } = h;
  if (state.over) return refuse('board_over', 'the team has ended');
  const before = asked ? askedTask(state, asked)?.number : numberOfKey(state, key);
  if (before !== undefined) return accept({ created: { id: before }, again: true });
  if (state.isDraining && state.limits.until !== 'stopped') return refuse('draining', 'the team is about to end');
  const added = addTasks(h, [task], by);
  if (!Array.isArray(added)) return added;
  const [first] = added;
  if (first && asked) first.asked = asked;
  if (key !== undefined && first) state.keys = [...(state.keys ?? []), [key, first.number] as [string, number]].slice(-KEYS_KEPT);
  return accept({ created: first ? taskSaid(first) : null });
}

/** Nobody may be there any more for a task that is tried again: then who has failed may try it, too. */
function decideHeld(h: Handling, event: Extract<BoardEvent, { kind: 'decided' }>): void {
  const task = h.state.over ? undefined : findTask(h.state, event.task);
  if (!task || task === 'done' || task.status !== 'held') return;
  if (event.choice === 'drop') {
    drop(h, task);
    return;
  }
  renewBudget(task);
  delete h.state.wereAsked;
  if (task.isReady) {
    offerAgain(h, task);
    return;
  }
  Object.assign(task, { status: 'pending', attempt: 0 });
  const able = h.state.members.filter((member) => !member.isLead && fits(member, task));
  if (able.some((member) => lives(member) || (!member.isDismissed && member.status === 'shutdown'))) return;
  const [failed] = able.filter(({ status }) => status === 'failed');
  if (failed) startAgain(h, failed);
}

function conclude(h: Handling): void {
  const { state } = h;
  const { tasks, members, limits, isDraining } = state;
  if (state.over) return;
  if (members.some(lives) && limits.until === 'all_done' && !state.wereAsked && !isDraining && isAllDone(state)) {
    state.wereAsked = true;
    askToShutDownAll(h, members.filter(lives), BOARD, 'everything is done: agree to shut down, or say what is left');
    serve(h);
  }
  // Programs have shut down at once.
  if (members.some(lives) || tasks.some(({ status }) => status === 'landing')) return;
  if (!isDraining && (limits.until === 'stopped' || tasks.some(({ status }) => status === 'held'))) return;
  if (tasks.every((task) => task.status === 'completed' || isForgone(task))) state.over = 'done';
  else state.over = isDraining ? 'stopped' : 'unfinished';
  // The next run of a team that was stopped goes on with them.
  if (limits.until !== 'stopped') reportLeft(h);
  h.decisions.push({ kind: 'over' });
}

/** Nothing is left that somebody could still do. */
function isAllDone(state: BoardState): boolean {
  if (state.next === 1) return false;
  const hopeless = hopelessTasks(state);
  return state.tasks.every(({ number, status }) => status === 'completed' || hopeless.has(number));
}
