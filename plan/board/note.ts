import { unreachable } from '../unreachable';
import type { WorkEnd } from './member';
import { BOARD, type MessageType } from './message';
import type { BoardRequest } from './request';
import type { ClaimSource, TaskNumber } from './task';
import type { WorkOrder } from './work-order';

/** What the journal tells of a board. */
export type BoardNote =
  | { event: 'created'; task: TaskNumber; subject: string; by?: string }
  | { event: 'completed' | 'dropped' | 'held'; task: TaskNumber; by?: string }
  /** `worktree`: what the task's own is called, to which it is bound from here on. */
  | { event: 'claimed'; task: TaskNumber; by: string; source: ClaimSource; worktree?: string }
  | { event: 'offered' | 'landed'; task: TaskNumber; commit: string; by?: string }
  /** The task goes back; an attempt is used. */
  | { event: 'returned'; task: TaskNumber; by: string; reason: string }
  | { event: 'refused'; by: string; request: BoardRequest['kind']; reason: string }
  | { event: 'spawned' | 'idle' | 'shutdown'; member: string; reason?: string }
  | { event: 'working'; member: string; work: number; begins: WorkOrder['begins'] }
  | { event: 'work-ended'; member: string; end: WorkEnd }
  | { event: 'failed'; member: string; reason: string }
  | { event: 'sent' | 'undelivered'; from: string; to: string; type: MessageType; reason?: string }
  | { event: 'request'; requestId: string; state: 'pending' | 'approved' | 'rejected' | 'expired'; from: string; to: string };

/** A note in words: what happened, to what, and why. */
export function boardNoteWords(note: BoardNote): (string | undefined)[] {
  switch (note.event) {
    case 'created':
      return ['created', `#${note.task}: ${note.subject}`, by(note.by)];
    case 'completed':
    case 'dropped':
    case 'held':
      return [note.event, `#${note.task}`, by(note.by)];
    case 'claimed':
      return ['claimed', `#${note.task}`, by(note.by), note.source, note.worktree && `in worktree ${note.worktree}`];
    case 'offered':
    case 'landed':
      return [note.event, `#${note.task}`, by(note.by), note.commit.slice(0, 12)];
    case 'returned':
      return ['returned', `#${note.task}`, by(note.by), note.reason];
    case 'refused':
      return ['refused', note.request, by(note.by), note.reason];
    case 'spawned':
    case 'idle':
    case 'failed':
      return [note.event, note.member, note.reason];
    case 'shutdown':
      return ['shut down', note.member, note.reason];
    case 'working':
      return ['working', note.member, `turn ${note.work}`, BEGINS[note.begins]];
    case 'work-ended':
      return ['work ended', note.member, ENDS[note.end]];
    case 'sent':
    case 'undelivered':
      return [note.event, note.type, `${note.from} → ${note.to}`, note.reason];
    case 'request':
      return ['request', note.state, `${note.from} → ${note.to}`];
    default:
      return unreachable(note);
  }
}

const BEGINS: Readonly<Record<WorkOrder['begins'], string>> = {
  spawn: 'spawned with a prompt',
  task: 'with a task',
  inbox: 'with messages',
  reminder: 'reminded of its open task',
  board: 'with the board',
};

const ENDS: Readonly<Record<WorkEnd, string>> = {
  stopped: 'it has nothing more to do',
  idle: 'it called idle',
  cap: 'it has had all its replies',
  claimed: 'it has claimed a task that it begins with anew',
  spent: 'the budget of its task is used up',
};

/** The tasks of the file are nobody's. */
function by(name: string | undefined): string | undefined {
  return name === undefined || name === BOARD ? undefined : `by ${name}`;
}
