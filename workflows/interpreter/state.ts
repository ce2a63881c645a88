import type { ArtifactRef } from '../../plan/artifact';
import type { Amounts, BudgetSpec } from '../../plan/budget';
import type { Category, RecordedApproval } from '../../plan/category';
import type { ChildNews, HeldView } from '../../plan/child';
import type { CommandsOutput } from '../../plan/container-work';
import type { OpenedRun } from '../../plan/contract';
import type { FailureCode } from '../../plan/failure';
import type { Decision, GateKind, GateView } from '../../plan/gate';
import type { JournalEntry, JournalPage } from '../../plan/journal';
import type { Json } from '../../plan/json';
import type { GateNotice, NoticeKind } from '../../plan/notice';
import type { SpawnRequest, SpawnResult } from '../../plan/spawn';
import type { RunState as RunStateName, StepState, UndeliveredView } from '../../plan/status';
import type { CommentRule } from '../../plan/step';
import type { AgentMessage, Findings, RenderedApproval, TryNote } from '../../plan/step-work';
import type { Usage } from '../../plan/usage';
import type { VerdictRecord } from '../../plan/verdict';
import type { RunEnding } from './run';

/**
 * The state of a run: plain JSON, so that it can be carried over continue-as-new as it stands. A step that nothing has
 * happened to has no record.
 */
export interface RunState {
  /** By path: `build/tests[3]/ask`. */
  records: Record<string, StepRecord>;
  /** Revisions used, by `<path>:<cause>`. */
  revisions: Record<string, number>;
  messages: Record<string, AgentMessage[]>;
  paused?: { by?: string; reason?: string; atMs?: number };
  /** Blocks in which nothing that is still pending runs any more, by the path before their steps. */
  skipRest: string[];
  /** How the run ends once `finally` is through. */
  closing?: RunEnding;
  /** A person's no ended `finally` before all of it was through. */
  cutShort?: true;
  /** Signals that a step of the plan waits for, or will: payloads by name, oldest first. Bounded. */
  signals: Record<string, Json[]>;
  /** Messages to channels that are not delivered yet. */
  outbox: OutboxItem[];
  /** Those given up, until their channel takes one again. Bounded. */
  undelivered?: UndeliveredView[];
  journal: JournalState;
  /** Gates that are closed, so that a late answer can be told what became of it. Bounded. */
  closedGates: ClosedGate[];
  /** What all agents together have used. */
  account?: AccountRecord;
  endedAtMs?: number;
  /** Answers that were checked: to input gates, and those with a proof. */
  checks?: number;
  /** Signals that are being checked, and are checked again by the next execution. Bounded. */
  unheard?: UnheardSignal[];
  /** Seals that have proven something, which none does twice. Bounded. */
  seals?: string[];
}

/** One round of one step. */
export interface StepRecord extends AgentKeeps {
  state: StepState;
  round: number;
  try: number;
  startedAtMs?: number;
  endedAtMs?: number;
  artifact?: ArtifactRef;
  values?: Record<string, Json>;
  verdict?: VerdictRecord;
  usage?: Usage;
  adapter?: string;
  /** What the second reviewer holds and has spawned while it works. */
  criticKeeps?: AgentKeeps;
  /** What the second reviewer says. */
  critic?: { verdict: VerdictRecord; artifact?: ArtifactRef };
  decision?: Decision;
  gate?: GateRecord;
  /** An operator's answer to a step that is held, until the step takes it up. */
  operator?: OperatorAnswer;
  error?: FailureRecord;
  /** Why it is held. */
  heldFor?: string;
  heldAtMs?: number;
  /** When a wait, or the pause of a loop, ends. */
  resumeAtMs?: number;
  /** When the next try begins. */
  retryAtMs?: number;
  /** The try whose request is in the journal. */
  toldTry?: number;
  /** What the next try is told. */
  note?: TryNote;
  findings?: Findings;
  previous?: ArtifactRef;
  /** Of a review: what it judged in the round before, and what its critic said of it. */
  judgedBefore?: ArtifactRef;
  criticBefore?: ArtifactRef;
  with?: Json;
  messages?: AgentMessage[];
  /** Tries spent of each allowance. */
  spent?: { respawns?: number; automatic?: number; policy?: number };
  superseded?: SupersededRound[];
  /** Of a container: the round in which what is within it begins, where not 1. */
  base?: number;
  /** The highest round that anything within it has had and left no record of. */
  top?: number;
  loop?: LoopRecord;
  child?: ChildRecord;
  /** Brought over from an earlier run; of a `pipeline` step that runs again, what its child begins with. */
  carried?: { run: string; child?: ArtifactRef };
  /** Where a container, or a wait for a signal, stops waiting. */
  deadlineMs?: number;
  /** Branches of a `parallel` that gave no result. */
  missing?: string[];
  /** That it failed, and its `on_error` lets the others go on. */
  tolerated?: true;
  /** That the time of a `parallel` ran out before all had ended. */
  timedOut?: true;
  /** What an input gate was about. */
  subject?: Json;
  /** What the step asks a person now that its work is done. */
  asked?: RenderedApproval;
  /** Where a pipe of stages has halted, and the answers it got so far. */
  halted?: HaltRecord;
  /** The signal that a wait has taken, until it is put out. */
  taken?: { value: Json };
  /** What a chain of commands has brought for this one, until it is its turn. */
  fetched?: Fetched;
  /** The account, `` for the run's, that a person is asked about here, and by whom (the key of what lacks it). */
  asksFor?: { account: string; key: string };
  /** Which of the agents at work here asks a person: the address of its activity. */
  turn?: string;
  /** Of a step with a budget of its own: over all its rounds. */
  account?: AccountRecord;
  /** Of the action that a person is asked about, or has just been: the digest of exactly what is to be done. */
  contentSha256?: string;
  /** What people have said to actions of its current try that need a yes. */
  approvals?: RecordedApproval[];
  /** How far a matter of it has come up the chain of escalation. */
  escalated?: EscalatedRecord;
}

/** What is kept of a call of an agent while it lasts. */
export interface AgentKeeps {
  /** What it holds of the budgets around it. */
  hold?: Hold;
  /** Children that it has spawned. */
  spawned?: SpawnRecord[];
  /** How many of its events the journal has. */
  journalled?: number;
}

/** Of one try, or one spawned child: what was granted to it in all, and what of that is used up. */
export interface Hold {
  granted: Amounts;
  charged: Required<Amounts>;
  /** What it needs in all before it can go on, as far as it has said. */
  needed?: Amounts;
}

export interface AccountRecord {
  spent: Required<Amounts>;
  unknownCost?: true;
  /** Ceilings that an operator has set; they win over the plan's. */
  ceilings?: BudgetSpec;
  /** Of a child run: what its parent has given it. */
  allowance?: Amounts;
}

export interface SpawnRecord extends SpawnRequest, AgentKeeps {
  depth: number;
  result?: SpawnResult;
}

/** The agent's keeps are of the one who is being asked. */
export interface EscalatedRecord extends AgentKeeps {
  /** Those in the chain who have been asked and did not decide. */
  before: { agent: string; said: string }[];
  /** Whose turn it is, once that stands in the journal. */
  told?: number;
}

/** How far a loop is. Iterations that are done leave nothing behind but what they put out. */
export interface LoopRecord {
  list: ArtifactRef;
  total: number;
  /** The first that has not begun. */
  next: number;
  /** Those that have begun and are not done. */
  live: number[];
  /** Those that are done and in no part yet, with the outputs of their steps. */
  done: Record<string, Record<string, ArtifactRef>>;
  /** The output, as far as it is made. */
  parts: ArtifactRef[];
  /** The first that is in no part. */
  unparted: number;
  /** What control reads of the items of iterations that are live or come next, by index. */
  values?: Record<string, Record<string, Json>>;
  /** The iteration before which it has paused. */
  pausedBefore?: number;
}

export interface ChildRecord {
  workflowId: string;
  state?: RunStateName;
  gates: GateView[];
  /** Steps of it, and of its own children, that wait for an operator. */
  held?: HeldView[];
  /** What it lacks, in all, of what was reserved for it. */
  short?: Amounts;
  /** What it has used up of it. */
  spent?: { amounts: Amounts; unknownCost?: true };
  /** What it said of its end. */
  ended?: Extract<ChildNews, { kind: 'ended' }>;
}

export interface HaltRecord {
  stage: number;
  items: ArtifactRef;
  gate: 'approval' | 'input';
  question: RenderedApproval;
  answer?: { approved?: true; response?: Json };
  /** Calls so far: each has an address of its own. */
  calls: number;
}

export type Fetched = CommandsOutput['done'][number] | { failure: NonNullable<CommandsOutput['failure']> };

export interface FailureRecord {
  code: FailureCode;
  message: string;
  details?: Json;
}

/** An earlier round, kept as evidence and never read by a later step. */
export type SupersededRound = Pick<
  StepRecord,
  'round' | 'try' | 'startedAtMs' | 'endedAtMs' | 'artifact' | 'verdict' | 'usage' | 'error' | 'adapter'
>;

export type OperatorAnswer = { kind: 'retry' } | { kind: 'skip'; by?: string; reason?: string };

export interface GateRecord {
  kind: GateKind;
  question: string;
  channel?: string;
  approvers?: string[];
  /** Who may not decide: by four eyes, or because they asked for it. */
  notBy?: string[];
  choices?: string[];
  quorum?: number;
  /** Who has said the same, where more than one must; one of each place. */
  approvals?: Decision[];
  comment?: CommentRule;
  identity?: 'proven';
  category?: Category;
  /** Places that approvers have handed over at this gate: who has it now, by approver. */
  handed?: Record<string, string>;
  /** The channel that has been told of it. */
  announced?: string;
  form?: ArtifactRef;
  /** When the next reminder is due. */
  remindAtMs?: number;
  openedAtMs: number;
  deadlineMs?: number;
  shown: { step: string; artifact: ArtifactRef }[];
  shownSha256: string;
  /** The answer, until the step takes it up. */
  decision?: Decision;
  /** Of a budget gate: the path of the step whose budget is reached, `` for the run's. */
  account?: string;
}

export interface ClosedGate {
  step: string;
  round: number;
  by?: string;
  choice?: string;
  why: 'decided' | 'superseded' | 'timed-out' | 'ended';
}
export const CLOSED_GATES_KEPT = 256;

export interface OutboxItem {
  /** Activity address, unique in the run. */
  address: string;
  step?: string;
  channel: string;
  message: string;
  /** Absent: a message, or to `#errors` an error. */
  kind?: NoticeKind;
  gate?: GateNotice;
  /** When it was written. */
  sinceMs?: number;
}

export interface UnheardSignal {
  name: string;
  payload: Json;
  /** The run that a proof in it names, where a parent has passed it on. */
  sealedFor?: string;
  /** Of the payload. */
  characters: number;
}

export interface JournalState {
  nextSeq: number;
  pages: JournalPage[];
  tail: JournalEntry[];
}

/** What continue-as-new carries, as an artifact. */
export interface Snapshot {
  opened: Omit<OpenedRun, 'plan'>;
  state: RunState;
}

export function emptyState(): RunState {
  return {
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

export function freshRecord(round: number): StepRecord {
  return { state: 'pending', round, try: 1 };
}

/** The record of the next round: what the round before put out is evidence now, and nobody's input. */
export function nextRound(record: StepRecord, findings: Findings, nowMs: number): StepRecord {
  const next: StepRecord = { state: 'pending', round: record.round + 1, try: 1, findings: withUnanswered(findings, record) };
  const previous = record.artifact ?? record.previous;
  if (previous) next.previous = previous;
  const criticBefore = record.critic?.artifact ?? record.criticBefore;
  if (criticBefore) next.criticBefore = criticBefore;
  if (record.judgedBefore) next.judgedBefore = record.judgedBefore;
  if (record.account) next.account = record.account;
  next.superseded = [...(record.superseded ?? []), supersededRound(record, nowMs)];
  return next;
}

/** What was found before and is not mended yet, because the round ended before it had put anything out. */
function withUnanswered(findings: Findings, { artifact, findings: before }: StepRecord): Findings {
  if (artifact || !before) return findings;
  const { also = [], ...last } = before;
  return { ...findings, also: [last, ...also].slice(0, UNANSWERED_KEPT) };
}
const UNANSWERED_KEPT = 8;

function supersededRound(record: StepRecord, nowMs: number): SupersededRound {
  const round: SupersededRound = { round: record.round, try: record.try, endedAtMs: record.endedAtMs ?? nowMs };
  if (record.startedAtMs !== undefined) round.startedAtMs = record.startedAtMs;
  if (record.artifact) round.artifact = record.artifact;
  if (record.verdict) round.verdict = record.verdict;
  if (record.usage) round.usage = record.usage;
  if (record.error) round.error = record.error;
  if (record.adapter !== undefined) round.adapter = record.adapter;
  return round;
}
