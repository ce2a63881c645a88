import type { BoardDecision, BoardEvent, NewMember } from '../../kinds/board/machine/events';
import { handle, newBoard } from '../../kinds/board/machine/machine';
import { memberOf } from '../../kinds/board/machine/members';
import { findTask } from '../../kinds/board/machine/tasks';
import type { BoardLimits, BoardState, MemberState, TaskState } from '../../plan/board/board-state';
import type { WorkEnd } from '../../plan/board/member';
import { BOARD, type BoardMessage, LEAD } from '../../plan/board/message';
import type { MemberReport } from '../../plan/board/report';
import type { BoardAnswer, BoardRequest } from '../../plan/board/request';
import type { NewTask, TaskRef } from '../../plan/board/task';
import type { Json } from '../../plan/text/json';
import { copied, expectInvariants } from './invariants';

/** A board for tests: events go in as members cause them, and what follows comes out as short words. All invariants hold after each. */

const LIMITS: BoardLimits = { members: 8, idleMs: 60_000, shutdownMs: 300_000, attempts: 3, until: 'idle', spawns: ['coder'] };

export const PROMPT = { sha256: 'a'.repeat(64), sizeBytes: 10, mediaType: 'text/plain' };

export function member(name: string, more: Partial<NewMember> = {}): NewMember {
  return { name, agent: 'coder', ...more };
}

export function task(subject: string, more: Partial<NewTask> = {}): NewTask {
  return { name: subject, subject, ...more };
}

export type Opened = ReturnType<typeof opened>;

export function opened(members: readonly NewMember[], tasks: readonly NewTask[], limits: Partial<BoardLimits> = {}) {
  const state: BoardState = newBoard('crew', { ...LIMITS, ...limits });
  let calls = 0;
  let letters = 0;
  const it = {
    state,
    atMs: 0,
    /** Off only where thousands of events are about a size. */
    isChecked: true,
    /** What followed from the last event. */
    decisions: [] as BoardDecision[],
    answer: undefined as BoardAnswer | undefined,
    tell(event: BoardEvent): string[] {
      const { decisions, answer } = handle(state, event, it.atMs);
      Object.assign(it, { decisions, answer });
      if (it.isChecked) expectInvariants(copied(state));
      return wordsOf(state, decisions);
    },
    wait(ms: number) {
      it.atMs += ms;
      return it;
    },
    ask(name: string, request: BoardRequest, id = `call-${++calls}`): Json | undefined {
      it.tell({ kind: 'asked', member: name, id, request });
      return it.answer?.said;
    },
    claim: (name: string, ref: TaskRef) => it.ask(name, { kind: 'claim_task', task: ref }),
    create: (name: string, one: NewTask) => it.ask(name, { kind: 'create_task', task: one }),
    complete: (name: string, ref: TaskRef) => it.ask(name, { kind: 'complete_task', task: ref }),
    fail: (name: string, ref: TaskRef, reason = 'no luck') => it.ask(name, { kind: 'fail_task', task: ref, reason }),
    spawn: (by: string, name: string, more: { agent?: string; role?: string } = {}) =>
      it.ask(by, { kind: 'spawn_teammate', name, agent: 'coder', ...more }),
    end: (name: string, end: WorkEnd = 'stopped') => it.tell({ kind: 'work-ended', member: name, end }),
    report: (name: string, status: MemberReport['status'], more: Partial<MemberReport> = {}) =>
      it.tell({ kind: 'work-ended', member: name, end: 'stopped', report: { status, said: { text: `it is ${status}` }, ...more } }),
    crash: (name: string, reason = 'overdrawn') => it.tell({ kind: 'work-failed', member: name, code: 'model.refused', reason }),
    send: (from: string, to: string | undefined, content = 'hello', more: Partial<BoardMessage> = {}) =>
      it.tell({
        kind: 'sent',
        message: {
          ...{ id: `m${++letters}`, type: 'message', from, content, characters: content.length, at: '2026-01-01T00:00:00.000Z' },
          ...(to === undefined ? {} : { to }),
          ...more,
        },
      }),
    askToEnd: (name: string, from: string = LEAD, requestId = `end-${name}`) =>
      it.send(from, name, 'please end', { type: 'shutdown_request', requestId }),
    respond: (name: string, requestId: string, approved: boolean) =>
      it.send(name, LEAD, approved ? 'yes' : 'no', { type: 'shutdown_response', requestId, approved }),
    read: (name: string) => it.tell({ kind: 'read', member: name, messages: it.member(name).inbox.map(({ id }) => id) }),
    idleOver: (name: string) => it.tell({ kind: 'idle-over', member: name }),
    member: (name: string): MemberState => memberOf(state, name),
    task(ref: TaskRef): TaskState {
      const found = findTask(state, ref);
      if (!found || found === 'done') throw new Error(`${ref} is ${found}`);
      return found;
    },
    /** The subjects of what is in progress, with their owners. */
    owners: () => state.tasks.flatMap(({ status, subject, owner }) => (status === 'in_progress' ? [`${subject} @${owner}`] : [])),
    statuses: () => Object.fromEntries(state.members.map(({ name, status }) => [name, status])),
    inbox: (name: string) => memberOf(state, name).inbox.map(({ from, content }) => `${from}: ${content}`),
    notes: () => it.decisions.flatMap((one) => (one.kind === 'note' ? [one.note] : [])),
    begun: [] as string[],
  };
  it.begun = it.tell({ kind: 'opened', members, tasks });
  return it;
}

/** `alice task 1`, `person 2`, `answered alice`, `over done`. */
function wordsOf(state: BoardState, decisions: readonly BoardDecision[]): string[] {
  return decisions.flatMap((one) => {
    switch (one.kind) {
      case 'work':
        return [one.member, one.order.begins, one.order.task ?? ''].join(' ').trim();
      case 'ask-person':
        return `person ${one.task}`;
      case 'ask-plan':
        return `plan ${one.requestId}`;
      case 'answered':
        return `answered ${one.member}`;
      case 'end-work':
        return `cut ${one.member}`;
      case 'land':
        return `land ${one.task}`;
      case 'over':
        return `over ${state.over}`;
      default:
        return [];
    }
  });
}

export { BOARD, LEAD };
