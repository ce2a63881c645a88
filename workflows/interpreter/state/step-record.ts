import type { MemberWork } from '../../../plan/board/member-work';
import type { Authority } from '../../../plan/brief/authority';
import type { Asked } from '../../../plan/brief/read-hand-off';
import type { BudgetSpec } from '../../../plan/budgets/budget';
import type { Usage } from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import type { Decision } from '../../../plan/people/gate';
import type { BallotPaper } from '../../../plan/people/vote';
import type { ArtifactRef, ControlRef } from '../../../plan/run/artifact';
import type { FourEyesOfRun } from '../../../plan/run/child';
import type { StepState } from '../../../plan/run/step-state';
import type { PartWorktree } from '../../../plan/run/worktree';
import type { AgentMessage, Findings, RenderedApproval, StepOutput } from '../../../plan/steps/step-activity';
import type { TryNote } from '../../../plan/steps/try-note';
import type { VerdictRecord } from '../../../plan/steps/verdict';
import type { Json } from '../../../plan/text/json';
import type { AccountRecord } from '../budget/account-record';
import type { AttemptRecord, FailureRecord } from '../context/attempt-log';
import type { FilledPlace, GateRecord, PassedGate } from '../gates/gate-record';
import type { KindState } from './kept-by-kind';
import { agentStateOf, judgeStateOf, kindStateAfter, verdictInState } from './kind-state';

/**
 * One round of one step: the fields of every step. The memory of the try in progress (`attempt`, dropped as a whole by a new one) and the
 * kind's own state (`kept`) come in addition.
 */
export interface StepRecord {
  state: StepState;
  round: number;
  try: number;
  times?: { startedAtMs?: number; endedAtMs?: number };
  output?: OutputRecord;
  usage?: Usage;
  /** Nobody takes its emitted items any more. */
  unread?: true;
  /** The compared values of its false condition. Absent: it was not skipped for that. */
  compared?: string;
  /** The failure of its last try. */
  error?: FailureRecord;
  /** Its questions to people, and their answers. */
  asked?: AskedRecord;
  /** The task of the round. */
  brief?: BriefRecord;
  /** The tries of the round so far. */
  tries?: TriesRecord;
  /** Earlier rounds. */
  superseded?: SupersededRound[];
  /** For a step with a budget of its own: over all its rounds. */
  account?: AccountRecord;
  /**
   * Brought over from an earlier run; for a `pipeline` step that runs again, what its child begins with. `waits`: until gates before it
   * have been asked again it counts as not settled.
   */
  carried?: { run: string; child?: ControlRef<'carry'>; waits?: true };
  /** What is known of its inner steps. */
  within?: WithinRecord;
  attempt?: AttemptRecord;
  kept?: KindState;
}

/** What the step's work has given. */
export interface OutputRecord extends Pick<StepOutput, 'artifact' | 'values' | 'emitted'> {
  /** Its worktree, and the worktree's commit at that time. */
  worktree?: { slot: string; commit: string };
}

export interface AskedRecord {
  /** The open gate. */
  gate?: GateRecord;
  /** The last answer, of a person or of an agent in the escalation chain. */
  decision?: Decision;
  /** The step's question to a person, now that its work is done. */
  question?: RenderedApproval;
  /** The subject of an input gate. */
  subject?: Json;
  /** Answers of its current try that hold for later steps. Approvals of an action, or of a budget, do not. */
  passed?: PassedGate[];
  /** Who has filled whose place in a question that continues at another gate (`gates/whole-question.ts`). */
  places?: FilledPlace[];
}

/** The open gate, if nobody has answered it yet. */
export function unansweredGate({ asked: { gate } = {} }: StepRecord): GateRecord | undefined {
  return gate?.decision ? undefined : gate;
}

export interface BriefRecord {
  /** The findings with which it was sent back. */
  findings?: Findings;
  /** Its output in the previous round. */
  previous?: ArtifactRef;
  /** For a review: what it judged in the previous round, and its critic's verdict on it. */
  judgedBefore?: ArtifactRef;
  criticBefore?: ArtifactRef;
  /** An operator's replacement of the inputs, its author, and the gates whose people have yet to agree to it. */
  replaced?: { inputs: Json; by?: string; asks?: string[] };
  messages?: AgentMessage[];
  /** The commit that its worktree is brought up to date with before its work: a conflict is in the files then, between markers. */
  onto?: string;
  /** For a part: its further inputs. */
  given?: Record<string, ArtifactRef>;
  /** For a step that runs when an action calls it: the path of the step with the action. */
  calledBy?: string;
  /** For such a step: who has let it pass although it had no result. */
  letPassBy?: string;
  /** For a person's vote: its subject. */
  ballot?: BallotPaper;
  /** For a part: what is left of a budget that spans turns. With the part's own budget, the smaller amount counts. */
  ceilings?: BudgetSpec;
  /**
   * For a part of work that spans turns: the calls of tools so far, over its earlier turns and its own tries that have ended. Ceilings per
   * step count them.
   */
  toolCalls?: number;
  /** For a part whose requests to agents are counted: those of its tries that have ended. */
  requests?: number;
  /** For a turn of a member of a board: as whom its agent works. */
  member?: MemberWork;
  /** For a part: the hand-off that its agent's reply has to be. */
  handOff?: Asked;
  /** For a part that is a gate: the answers that it takes this time, of those that it can have. */
  choices?: readonly string[];
  /** The worktree in which the turn works, if not that of its step. */
  worktree?: PartWorktree;
  /** For a part: what its agent may do for a brief. */
  authority?: Authority;
}

export interface TriesRecord {
  /** Tries spent of each allowance. */
  respawns?: number;
  automatic?: number;
  policy?: number;
  /** What the current try learns of the previous one. */
  note?: TryNote;
  /** It waits for an operator: why, since when, and the answer until the step takes it up. */
  held?: { reason: string; atMs: number; answer?: OperatorAnswer };
}

export interface WithinRecord {
  /** The round in which its inner steps begin, if not 1. */
  base?: number;
  /** The highest round of an inner step without a record. */
  top?: number;
  /**
   * Gates were open in its child pipeline, or in finished iterations: this run has no record of them, and knows whose decisions these were.
   * `true`: unknown, or not yet known.
   */
  eyes?: true | FourEyesOfRun;
}

/** An earlier round, kept as evidence and never read by a later step. */
export interface SupersededRound extends Pick<StepRecord, 'round' | 'try' | 'times' | 'usage' | 'error'> {
  artifact?: ArtifactRef;
  verdict?: VerdictRecord;
  adapter?: string;
}

export type OperatorAnswer = { kind: 'retry' } | { kind: 'skip'; by?: string; reason?: string };

/** The memory of the try that is in progress. */
export function attemptOf(record: StepRecord): AttemptRecord {
  record.attempt ??= { work: [] };
  return record.attempt;
}

/** Notes what the work has given so far. */
export function noteOutput(record: StepRecord, { artifact, values, emitted, worktree: left }: OutputRecord): void {
  const worktree = left && { slot: left.slot, commit: left.commit };
  const given = defined({ artifact, values, emitted, worktree });
  if (Object.keys(given).length > 0) record.output = { ...record.output, ...given };
}

/** Nobody waits for an operator any more. */
export function withoutHold({ held: _answered, ...tries }: TriesRecord = {}): TriesRecord {
  return tries;
}

export function freshRecord(round: number): StepRecord {
  return { state: 'pending', round, try: 1 };
}

/** The record of the next round: the output of the previous one is evidence now, and nobody's input. */
export function nextRound(record: StepRecord, findings: Findings, nowMs: number): StepRecord {
  const { criticBefore, judgedBefore, given, ballot, ceilings, member, handOff, choices, worktree, authority } = record.brief ?? {};
  const brief: BriefRecord = {
    findings: withUnanswered(findings, record),
    ...defined({
      previous: record.output?.artifact ?? record.brief?.previous,
      criticBefore: judgeStateOf(record)?.critic?.artifact ?? criticBefore,
      ...{ judgedBefore, given, ballot, ceilings, member, handOff, choices, worktree, authority },
    }),
  };
  return {
    ...{ state: 'pending', round: record.round + 1, try: 1, brief },
    ...defined({ account: record.account, kept: kindStateAfter('next', record) }),
    superseded: [...(record.superseded ?? []), supersededRound(record, nowMs)],
  };
}

/** Earlier findings that are not fixed yet, because the round ended before it had an output. */
export function withUnanswered(findings: Findings, { output, brief }: StepRecord): Findings {
  if (output?.artifact || !brief?.findings) return findings;
  const { also = [], ...last } = brief.findings;
  return { ...findings, also: [last, ...also].slice(0, UNANSWERED_KEPT) };
}

const UNANSWERED_KEPT = 8;

/** A round as shown and kept. */
export function roundOf(record: StepRecord): SupersededRound {
  const { round, try: again, times, output, usage, error } = record;
  const verdict = verdictInState(record);
  const adapter = agentStateOf(record)?.adapter;
  return {
    ...{ round, try: again },
    ...defined({ times, artifact: output?.artifact, verdict, usage, error, adapter }),
  };
}

function supersededRound(record: StepRecord, nowMs: number): SupersededRound {
  return { ...roundOf(record), times: { endedAtMs: nowMs, ...record.times } };
}
