import type { Envelope } from '../agents/envelope';
import type { BoardNote } from '../board/note';
import type { GrantAnswer, GrantChoice } from '../brief/authority';
import type { BriefNote } from '../brief/note';
import type { Feedback } from '../patterns/feedback';
import type { Category } from '../people/category';
import type { Decision } from '../people/gate';
import type { Starter } from '../people/starter';
import type { TicketOutcome } from '../queue/ticket';
import { isJsonObject, type Json } from '../text/json';
import type { ArtifactRef } from './artifact';
import type { SignalOutcome } from './signal';
import type { ErrorView, RunState } from './status';
import type { StepState } from './step-state';

/**
 * One line of a run's journal. `seq` counts from 1 without gaps, also across continue-as-new; `at` is ISO 8601: when it happened, which may
 * be before entries above it, since the events of an agent's try are known only when the try ends or pauses.
 */
export type JournalEntry = {
  seq: number;
  at: string;
  /** The name of the loop's item that the step is within. */
  item?: string;
} & JournalEvent;

export type JournalEvent =
  | { kind: 'run'; state: RunState; reason?: string; error?: ErrorView; by?: string; startedBy?: Starter }
  | { kind: 'step'; step: string; state: StepState; reason?: string; error?: ErrorView; artifact?: ArtifactRef }
  /** `unrouted`: of an agent in a coordinate step, and no step of that handles it. */
  | { kind: 'envelope'; step?: string; unrouted?: true; envelope: Envelope }
  | { kind: 'gate'; step: string; event: 'opened' | 'closed'; question?: string; reason?: string }
  | { kind: 'decision'; step: string; decision: Decision }
  | { kind: 'signal'; name: string; outcome: SignalOutcome; reason?: string; payload?: Json; by?: string }
  | { kind: 'budget'; step?: string; event: 'reached' | 'extended' | 'granted'; reason: string; by?: string }
  | {
      kind: 'approval';
      step: string;
      /** `kept`: an earlier try was given it, but did not use it. */
      event: 'granted' | 'kept' | 'refused' | 'used';
      category: Category;
      contentSha256: string;
      id: string;
      by?: string;
    }
  | GrantEntry
  /** `changed`: outside of any step's work. `left`: it could not be closed. */
  | {
      kind: 'worktree';
      step: string;
      event: 'made' | 'moved' | 'changed' | 'restored' | 'left' | 'kept' | 'removed';
      host: string;
      commit: string;
      reason?: string;
    }
  /** A try begins in a folder of another host than that of the try before, and has none of its files. */
  | { kind: 'folder'; step: string; event: 'moved'; host: string; from?: string }
  | TicketEntry
  | {
      kind: 'team';
      step: string;
      event: TeamWord;
      task?: string;
      engineer?: string;
      attempt?: number;
      /** The number of the engineer's turn: it continues in a rerun, whose journal begins anew. */
      turn?: number;
      commit?: string;
      reason?: string;
    }
  | ({ kind: 'board'; step: string } & BoardNote)
  | ({ kind: 'brief'; step: string } & BriefNote)
  | ({ kind: 'pattern'; step: string } & Feedback)
  | MemoryEntry
  | { kind: 'tool'; step: string; tool: string; outcome: 'refused'; reason: string }
  /** `reason`: the message was sent again after a crash, and may have arrived twice. */
  | { kind: 'notification'; step?: string; channel: string; delivered: boolean; message: string; reason?: string; error?: ErrorView };

/** An event that an activity returns, with its own time: it is journalled when the activity ends, and may have happened long before. */
export type HandedEvent = JournalEvent & { at?: string };

/** An answer to a call that nothing had authorised. `used`: the call for which it was given `once` was made. */
export interface GrantEntry extends Pick<GrantAnswer, 'id' | 'contentSha256' | 'categories' | 'by'> {
  kind: 'grant';
  step: string;
  event: GrantChoice | 'used';
  project: string;
  tool: string;
}

/** What happened to a memory file or another file of a post-mortem. `unreadable`: some entries cannot be read, and stay unchanged. */
export interface MemoryEntry {
  kind: 'memory';
  step: string;
  event: 'written' | 'unreadable' | 'failed';
  file: string;
  added?: number;
  confirmed?: number;
  reason?: string;
  error?: ErrorView;
}

/** What happens to a candidate in a merge queue. `code`: for one that does not land, its end there (`conflict`, `red`, …). */
export interface TicketEntry {
  kind: 'ticket';
  step: string;
  event: 'asked' | 'merged' | 'returned';
  queue: string;
  ticket: number;
  candidate: string;
  /** With `merged`: the commit that contains it. */
  result?: string;
  code?: Exclude<TicketOutcome['kind'], 'merged'>;
  reason?: string;
}

/** What happens to the tasks of a team. */
export type TeamWord =
  | 'prepared'
  | 'divided'
  | 'mended'
  | 'warned'
  | 'assigned'
  | 'submitted'
  | 'merged'
  | 'returned'
  | 'joined'
  | 'asked'
  | 'dropped'
  | 'over';

export const JOURNAL_KINDS = [
  'run',
  'step',
  'envelope',
  'gate',
  'decision',
  'signal',
  'budget',
  'approval',
  'grant',
  'worktree',
  'folder',
  'ticket',
  'team',
  'board',
  'brief',
  'pattern',
  'memory',
  'tool',
  'notification',
] as const satisfies readonly JournalEvent['kind'][];

/** Whether data from a failure's details are events that an activity returned. */
export function isJournalEvents(value: unknown): value is HandedEvent[] {
  return Array.isArray(value) && value.every((event) => isJsonObject(event) && JOURNAL_KINDS.some((kind) => kind === event['kind']));
}

/** Entries stored in the ledger, in order and without gaps. */
export interface JournalPage {
  fromSeq: number;
  toSeq: number;
  ref: ArtifactRef;
}

export const JOURNAL_PAGE_ENTRIES = 256;

/**
 * Query argument and answer: the flushed pages by reference, and the entries that are still in workflow state. A long answer is cut:
 * another query asks for what comes after its last page or entry, until `nextSeq` is reached.
 */
export interface JournalQuery {
  /** Leave out entries up to and including this number. */
  after?: number;
}
export interface JournalView {
  pages: JournalPage[];
  entries: JournalEntry[];
  nextSeq: number;
}
