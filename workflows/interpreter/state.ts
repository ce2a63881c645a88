import type { ArtifactRef } from '../../plan/artifact';
import type { AgentMessage, Findings, OpenedRun, TryNote } from '../../plan/contract';
import type { FailureCode } from '../../plan/failure';
import type { Decision, GateKind } from '../../plan/gate';
import type { JournalEntry, JournalPage } from '../../plan/journal';
import type { Json } from '../../plan/json';
import type { StepState } from '../../plan/status';
import type { Usage } from '../../plan/usage';
import type { VerdictRecord } from '../../plan/verdict';

/**
 * The state of a run: plain JSON, so that it can be carried over continue-as-new as it stands. A step that nothing has
 * happened to has no record.
 */
export interface RunState {
  records: Record<string, StepRecord>;
  /** Revisions used, by `<step>:<cause>`. */
  revisions: Record<string, number>;
  messages: Record<string, AgentMessage[]>;
  paused?: { by?: string; reason?: string };
  /** Nothing that is still pending runs any more. */
  skipRest?: true;
  /** Messages to channels that are not delivered yet. */
  outbox: OutboxItem[];
  journal: JournalState;
  /** Gates that are closed, so that a late answer can be told what became of it. Bounded. */
  closedGates: ClosedGate[];
  endedAtMs?: number;
}

/** One round of one step. */
export interface StepRecord {
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
  decision?: Decision;
  gate?: GateRecord;
  /** An operator's answer to a step that is held, until the step takes it up. */
  operator?: OperatorAnswer;
  error?: FailureRecord;
  /** Why it is held. */
  heldFor?: string;
  /** When a wait or a back-off ends. */
  resumeAtMs?: number;
  /** What the next try is told. */
  note?: TryNote;
  findings?: Findings;
  previous?: ArtifactRef;
  with?: Json;
  messages?: AgentMessage[];
  /** Tries spent of each allowance. */
  spent?: { respawns?: number; automatic?: number; policy?: number };
  superseded?: SupersededRound[];
}

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
  openedAtMs: number;
  deadlineMs?: number;
  shown: { step: string; artifact: ArtifactRef }[];
  shownSha256: string;
  /** The answer, until the step takes it up. */
  decision?: Decision;
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
  return { records: {}, revisions: {}, messages: {}, outbox: [], journal: { nextSeq: 1, pages: [], tail: [] }, closedGates: [] };
}

export function freshRecord(): StepRecord {
  return { state: 'pending', round: 1, try: 1 };
}

/** The record of the next round: what the round before put out is evidence now, and nobody's input. */
export function nextRound(record: StepRecord, findings: Findings, nowMs: number): StepRecord {
  const next: StepRecord = { state: 'pending', round: record.round + 1, try: 1, findings };
  if (record.artifact) next.previous = record.artifact;
  next.superseded = [...(record.superseded ?? []), supersededRound(record, nowMs)];
  return next;
}

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
