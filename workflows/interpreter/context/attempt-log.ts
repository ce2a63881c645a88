import type { DecisionAnswer } from '../../../plan/agents/decision';
import type { SpawnRequest, SpawnResult } from '../../../plan/agents/spawned-agent';
import type { GrantAnswer } from '../../../plan/brief/authority';
import type { BudgetShort } from '../../../plan/budgets/budget';
import type { RecordedApproval } from '../../../plan/people/category';
import type { Decision } from '../../../plan/people/gate';
import type { FailureCode } from '../../../plan/run/failure';
import type { StepOutput } from '../../../plan/steps/step-activity';
import type { TryNote } from '../../../plan/steps/try-note';
import type { Json } from '../../../plan/text/json';
import type { Reservation } from '../budget/account-record';
import type { TakenDecision } from '../gates/gate-record';
import type { Fault } from '../merging/outcomes';

/**
 * What a try of a step remembers, as plain JSON in the step's record: a log of its calls for each of its two phases. A new try drops all of
 * it. Code that runs again in another execution gets the results of its calls from the log (`open-context.ts`).
 */
export interface AttemptRecord {
  /** Calls of the step's work. */
  work: LogScope;
  /** The work has ended, well or not. */
  ended?: WorkEnd;
  /** Calls after the work: `on_error`, an approval after it, escalation. */
  after?: LogScope;
  /** The try begins at this moment, in milliseconds since the epoch. */
  startsAtMs?: number;
  /** People's answers to actions of this try that need approval. */
  approvals?: RecordedApproval[];
  /** People's answers to calls of its agents that nothing had authorised, in this try and earlier ones. */
  grants?: GrantAnswer[];
  /** The approval of the step's own action, in this try or an earlier one. */
  given?: TakenDecision;
  /** Something is asked before the work begins. Fixed for the try: somebody may give the run a budget later. */
  leave?: true;
  /** Gates whose people have to agree to an operator's inputs. Fixed for the try. */
  asks?: string[];
  /** The question to a person here, and its asker. */
  question?: AgentQuestion;
  /** What the earlier try leaves to this one's agent, if it continues in the same transcript: its children, and answers not yet read. */
  adopted?: Pick<AgentCallState, 'spawned' | 'runRequests' | 'decisions'>;
}

/** Several agents may be running in a step, which asks one question at a time. */
export interface AgentQuestion {
  /** Address of the activity that asks. */
  key: string;
  /** For a budget: the account, `` for the run's. */
  account?: string;
}

/** How a step's work ended. None of these: done. */
export interface WorkEnd {
  failure?: FailureRecord;
  /** A person refused, or nobody answered; or its rounds are over without reaching their goal. */
  cause?: { kind: 'rejected'; decision: Decision } | { kind: 'silence'; reason: string } | ExhaustedCause | ReturnedCause;
  /** The run ends as rejected. */
  rejectRun?: string;
  /** There was nothing to do: the step ends as skipped. */
  skipped?: true;
  /** The reason for the journal, if the step is done. */
  reason?: string;
  /** When the work ended, if that is not now. */
  atMs?: number;
}

/** Its rounds are over without reaching their goal. */
export interface ExhaustedCause {
  kind: 'exhausted';
  message: string;
  /** Which actions of the step follow. @default those of its rounds' end */
  list?: 'onRootCause' | 'onBlocked';
  /** The failure's code. @default 'repeat.exhausted' */
  code?: FailureCode;
  /** Its output, if somebody lets it pass. Absent: the one that it has. */
  overruled?: Pick<StepOutput, 'artifact' | 'values'>;
}

/** Candidates of a merge came back to their authors. */
export interface ReturnedCause {
  kind: 'returned';
  into: string;
  faults: { path: string; fault: Fault }[];
  reason: string;
}

export interface FailureRecord {
  code: FailureCode;
  message: string;
  details?: Json;
  /** The wait before the next try, if it demands one. */
  retryAfterMs?: number;
  /** The message says which step failed. */
  located?: true;
  /** The step's `on_error` lets the others continue. */
  tolerated?: true;
}

/** Calls in the order in which the code made them. */
export type LogScope = LogEntry[];

export type EntryKind = LogEntry['kind'];

/** One call. `end` is absent while it is open. */
export type LogEntry = Call | Once | Sleep | GateEntry | Awaited | Through | Begun | AgentEntry | PartEntry | AllEntry | LoopEntry;

interface Ends {
  key: string;
  end?: EntryEnd;
}

/** A call's result, or its failure. */
export interface EntryEnd {
  value?: unknown;
  failure?: FailureRecord;
}

interface Call extends Ends {
  kind: 'call';
  /** The name of the call's work in the ledger, for steps that may be cancelled while it is in progress. */
  ledger?: string;
  /** For a local activity, which the server does not list while it is in progress: when it began. */
  localSinceMs?: number;
}
interface Once extends Ends {
  kind: 'once';
}
interface Sleep extends Ends {
  kind: 'sleep';
  atMs: number;
}
interface GateEntry extends Ends {
  kind: 'gate';
}
/** Waits for something from outside, such as a signal. */
interface Awaited extends Ends {
  kind: 'awaited';
  dueMs?: number;
}
/** Work that itself knows how it continues in another execution. */
interface Through extends Ends {
  kind: 'through';
}
/** Something that outlives an execution, and is looked after in each. */
interface Begun extends Ends {
  kind: 'begun';
}
interface AgentEntry {
  kind: 'agent';
  key: string;
  end?: { value?: StepOutput; failure?: FailureRecord };
  ledger: string;
  keeps: AgentCallState;
}
/** The state of an agent's call while it lasts. */
export interface AgentCallState {
  /** Its reservation in the budgets around it. */
  hold?: Reservation;
  /** Children that it has spawned. */
  spawned?: SpawnRecord[];
  /** Ids of the requests that the run has taken up; those of earlier tries count, because it may continue from one. */
  runRequests?: string[];
  /** The run's answers to what its last turn has asked; earlier ones are in its transcript. */
  decisions?: DecisionAnswer[];
  /** A budget that spans turns is used up: what it would have needed to go on. */
  spent?: BudgetShort;
  /** How many of its exchanges of messages are taken up. */
  exchanged?: number;
  /** How many of its events the journal has. */
  journalled?: number;
  /** Calls since its activity was last begun: what it paused for, and what answered that. */
  turn?: LogScope;
}

export interface SpawnRecord extends SpawnRequest, AgentCallState {
  depth: number;
  result?: SpawnResult;
  /** The number of the fresh agent, from 2 on, and the reason. */
  try?: number;
  note?: TryNote;
}

/** The address of its activity: each try has a transcript of its own. */
export function addressOfSpawned({ id, try: tries }: SpawnRecord): string {
  return tries === undefined ? id : `${id}/try-${tries}`;
}

/** Its try is over: what the call of that try kept is of no use to the next one, or to a result. */
export function forgetCall(child: SpawnRecord): void {
  for (const key of ['hold', 'spawned', 'turn', 'journalled'] as const) delete child[key];
}

interface PartEntry extends Ends {
  kind: 'part';
  path: string;
}
interface AllEntry extends Ends {
  kind: 'all';
  dueMs?: number;
  /** Its time has run out once, and it may have been extended. */
  extended?: true;
  /** Why no branch is awaited any more, decided once: cancelled work is then looked up, and an execution may end meanwhile. */
  over?: 'enough' | 'late';
  branches: Record<string, BranchLog>;
  /** Once it has ended: the parts that ran in it. */
  parts?: string[];
}
interface LoopEntry extends Ends {
  kind: 'loop';
  /** Turns that have begun. */
  turn: number;
  state?: unknown;
  scope: LogScope;
  /** Once it has ended: the parts that ran in its last turn. */
  parts?: string[];
}

export interface BranchLog {
  scope: LogScope;
  /** For a branch that is a part. */
  path?: string;
  end?: EntryEnd;
}

export type EntryOf<K extends EntryKind> = Extract<LogEntry, { kind: K }>;

/** Paths of the parts that the calls of a scope, and of its inner scopes, have run. */
export function partsIn(scope: LogScope): string[] {
  return scope.flatMap((entry) => {
    if (entry.kind === 'part') return [entry.path];
    if (entry.kind === 'loop') return entry.parts ?? partsIn(entry.scope);
    if (entry.kind !== 'all') return [];
    return entry.parts ?? Object.values(entry.branches).flatMap(({ path, scope: inner }) => (path === undefined ? partsIn(inner) : [path]));
  });
}

export const OWN_AGENT = 'agent';
