import type { RunGrant } from '../../../plan/brief/authority';
import type { GateNotice, NoticeKind } from '../../../plan/people/notice';
import type { AwaitedTicket } from '../../../plan/queue/landing';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { JournalEntry, JournalPage } from '../../../plan/run/journal';
import type { OpenedRun } from '../../../plan/run/run-activities';
import type { RunEnd } from '../../../plan/run/run-end';
import type { RaisedView, UndeliveredView } from '../../../plan/run/status';
import type { CarriedWorktree, WorktreeLease } from '../../../plan/run/worktree';
import type { StepKind } from '../../../plan/steps/step';
import type { AgentMessage } from '../../../plan/steps/step-activity';
import type { Json } from '../../../plan/text/json';
import type { AccountRecord } from '../budget/account-record';
import type { ClosedGate } from '../gates/gate-record';
import type { RunEnding } from '../run-ending';
import type { CancelledWork } from './cancelled-work';
import type { StepRecord } from './step-record';

/**
 * The state of a run: plain JSON, so that it can be carried over continue-as-new unchanged. A step that nothing has
 * happened to has no record.
 */
export interface InterpreterState {
  /** `RUN_VERSION` of the worker that opened the run. */
  version: number;
  /** Records by path: `build/tests[3]/ask`. */
  records: Record<string, StepRecord>;
  /** Revisions used, by `<path>:<cause>`. */
  revisions: Record<string, number>;
  messages: Record<string, AgentMessage[]>;
  /** The owner's context (`action: self`): those of its steps that no later one has taken up. */
  ownContext?: ArtifactRef[];
  paused?: { by?: string; reason?: string; atMs?: number };
  /** The step that has the run's exclusive turn. */
  exclusive?: ExclusiveTurn;
  /** Blocks in which nothing that is still pending runs any more, by the path before their steps. */
  skipRest: string[];
  /** How the run ends once `finally` is through. */
  closing?: RunEnding;
  /** Somebody has asked for a post-mortem. */
  postMortem?: { by?: string };
  /** A person's refusal ended `finally` early. `done`: the steps it had not reached are skipped, except the one that is always last. */
  cutShort?: true | 'done';
  /** Signals that a step of the plan waits for, or will: payloads by name, oldest first. Bounded. */
  signals: Record<string, Json[]>;
  /** Messages to channels that are not delivered yet. */
  outbox: OutboxItem[];
  /** How many there have been. */
  notices?: number;
  /** Messages that were given up, until their channel takes one again. Bounded. */
  undelivered?: UndeliveredView[];
  /** Agents' reports to their superiors: the last so many. */
  raised?: RaisedView[];
  journal: JournalState;
  /** Closed gates, so that a late answer gets the reason. Bounded. */
  closedGates: ClosedGate[];
  /** The usage of all agents together. */
  account?: AccountRecord;
  /** What people have granted for the run to those who work for a brief. */
  grants?: RunGrant[];
  /** The owner's superior knows that the work is done: only a person's approval is left. */
  announcedDone?: true;
  /** Runs that agents have started, by workflow id. */
  started?: Record<string, StartedRecord>;
  /** Worktrees of the run's steps, by slot. */
  worktrees?: Record<string, SlotState>;
  /** Tickets of merge queues that steps wait for, by the names of their submissions. */
  tickets?: Record<string, AwaitedTicket>;
  endedAtMs?: number;
  /** Work that was cancelled, and that the ledger has not been asked about yet. */
  cancelledWork?: CancelledWork[];
  /** For a child pipeline: lines of its parent's log that have been read. */
  fromParent?: { read: number };
  /** How many answers were checked: those to input gates, and those with a proof. */
  checks?: number;
  /** Signals that are being checked, and are checked again by the next execution. Bounded. */
  pendingSignals?: PendingSignal[];
  /** Tasks that came before the board that they are for was open. Bounded. */
  earlyTasks?: { payload: Json; characters: number }[];
  /** Used seals, none of which proves anything twice. Bounded. */
  seals?: string[];
}

/** A worktree that a step has been given, or begins with in a rerun. */
export interface SlotState {
  lease?: WorktreeLease;
  carried?: CarriedWorktree;
  /** The commits that steps have left in it that ended well, by id: items of a loop that are over have no records. */
  left?: Record<string, string>;
  /** The epochs that were taken when a try of a step failed for want of more. */
  spent?: number;
  /** The run has ended, and needs it no more. */
  isClosed?: true;
}

export interface OutboxItem {
  /** Activity address, unique in the run. */
  address: string;
  step?: string;
  channel: string;
  message: string;
  /** The agent whose own message it is: it mentions nobody. Absent: the run's. */
  from?: string;
  /** Absent: an error if the channel is `#errors`, else a message. */
  kind?: NoticeKind;
  gate?: GateNotice;
  /** How the run's work ended, if it had. */
  end?: RunEnd;
  /** When it was written. */
  sinceMs?: number;
}

/** A run that an agent has started. */
export interface StartedRecord {
  agent: string;
  pipeline: string;
  /** Path of the step that the agent worked in. */
  path: string;
  /** Id of its first execution. Absent: it could not be started. */
  run?: string;
  /** How it ended; absent while unknown. */
  ended?: string;
}

export interface PendingSignal {
  name: string;
  /** Absent: it came without one. */
  payload?: Json;
  /** The run that a proof in it names, if a parent has passed it on. */
  sealedFor?: string;
  /** The size of the payload. */
  characters: number;
}

export interface JournalState {
  nextSeq: number;
  pages: JournalPage[];
  tail: JournalEntry[];
}

/** The artifact that continue-as-new carries. */
export interface Snapshot {
  opened: Omit<OpenedRun, 'plan'>;
  state: InterpreterState;
}

export function emptyState(version: number): InterpreterState {
  return {
    version,
    records: {},
    revisions: {},
    messages: {},
    skipRest: [],
    signals: {},
    outbox: [],
    journal: { nextSeq: 1, pages: [], tail: [] },
    closedGates: [],
  };
}

/** The turn of a step such as a swarm, of which a run has one at a time. */
export interface ExclusiveTurn {
  path: string;
  kind: StepKind;
  round: number;
  atMs: number;
  /** Nothing else starts meanwhile. */
  pausesOthers: boolean;
  /** Ids of the steps that it blocks. */
  affected: readonly string[];
  /** Paths of the steps that were in progress when it began, or are blocked. */
  paused: string[];
}
