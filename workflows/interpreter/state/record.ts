import type { ArtifactRef, ControlRef } from '../../../plan/artifact';
import type { ApprovalNeed, RecordedApproval } from '../../../plan/category';
import type { FourEyes } from '../../../plan/child';
import type { CommandsOutput } from '../../../plan/container-work';
import type { FailureCode } from '../../../plan/failure';
import type { Decision } from '../../../plan/gate';
import type { Json } from '../../../plan/json';
import type { StepState } from '../../../plan/status';
import type { AgentMessage, Findings, RenderedApproval, TryNote } from '../../../plan/step-work';
import type { Usage } from '../../../plan/usage';
import type { VerdictRecord } from '../../../plan/verdict';
import type { AccountRecord, AgentKeeps, EscalatedRecord } from '../agents/agent-keeps';
import type { ChildRecord, LoopRecord } from '../containers/container-record';
import type { GateRecord, PassedGate } from '../gates/gate-record';

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
  /** Answers of its current try that hold for the steps behind it. A yes to an action, or to a budget, is none of them. */
  passed?: PassedGate[];
  /**
   * Gates were open in its child pipeline, or in iterations that are over: this run has no record of them, and knows whose decisions these
   * were. `true`: it does not know, or not yet.
   */
  gatesWithin?: true | FourEyes;
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
  /** What an operator has given for the inputs, who that was, and the gates whose people have yet to agree to it. */
  with?: Json;
  withBy?: string;
  withAsks?: string[];
  messages?: AgentMessage[];
  /** The owner's context as its current try was given it. */
  context?: ArtifactRef[];
  /** The same with what was said in it, once it is done. */
  leftContext?: ArtifactRef;
  /** What of earlier steps lies within it, by digest. */
  contextWithin?: string[];
  /** Tries spent of each allowance. */
  spent?: { respawns?: number; automatic?: number; policy?: number };
  superseded?: SupersededRound[];
  /** Of a container: the round in which what is within it begins, where not 1. */
  base?: number;
  /** The highest round that anything within it has had and left no record of. */
  top?: number;
  loop?: LoopRecord;
  child?: ChildRecord;
  /**
   * Brought over from an earlier run; of a `pipeline` step that runs again, what its child begins with. `waits`: until gates before it
   * have been asked again it counts as not settled.
   */
  carried?: { run: string; child?: ControlRef<'carry'>; waits?: true };
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
  /** What the agent whose turn it is wants to do and asks leave for. */
  need?: ApprovalNeed;
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

/** An earlier round, kept as evidence and never read by a later step. */
export type SupersededRound = Pick<
  StepRecord,
  'round' | 'try' | 'startedAtMs' | 'endedAtMs' | 'artifact' | 'verdict' | 'usage' | 'error' | 'adapter'
>;

export interface FailureRecord {
  code: FailureCode;
  message: string;
  details?: Json;
}

export type OperatorAnswer = { kind: 'retry' } | { kind: 'skip'; by?: string; reason?: string };

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
