import type { ReviewVerdict, SubTask } from '../../../plan/brief/hand-off';
import type { ArtifactRef } from '../../../plan/run/artifact';

/** The words of a coordinator, which its state, its rules and its view share. */

/**
 * `incomplete`: a sub-task was skipped. `stopped`: a person has ended it. `planned`, `unplanned`: only a plan was asked for, and there is
 * one or none.
 */
export type CoordinatorEnd = 'success' | 'incomplete' | 'stopped' | 'planned' | 'unplanned';

export const JUDGES = ['reviewer', 'critic'] as const;
export type Judge = (typeof JUDGES)[number];

export interface SubTaskState extends Pick<SubTask, 'id' | 'role'> {
  /** Shortened, for people. */
  title: string;
  dependsOn: string[];
  stage: 'open' | 'working' | 'passed' | 'skipped';
  /** Executions that were asked for. */
  attempts: number;
  /** How often judges have asked for another try since a person last did. */
  retries: number;
  /** Calls of tools that its executions have made so far. @default 0 */
  toolCalls?: number;
  /** The last execution. Absent: there is none, or a person has passed the sub-task without one. */
  execution?: ArtifactRef;
  /** A person has passed it, whatever judges have said. */
  isLetPass?: true;
  /** The judgements of the last execution. */
  reports?: Partial<Record<Judge, Judgement>>;
}

export interface Judgement {
  verdict: ReviewVerdict;
  report: ArtifactRef;
}

export interface Halt {
  why: HaltCause;
  /** The role whose reply it was, or was to be. */
  by: string;
  /** The state in which it was asked. */
  from: 'plan' | 'execute' | 'review_step';
  /** Shortened; the hand-off has the whole text. */
  reason: string;
  /** The hand-off of an escalation. */
  said?: ArtifactRef;
  /** The reply is good in itself, and is in the state: only a detector has stopped it. `pass` takes it as it is. */
  isHeld?: true;
}

/**
 * `escalation`: a role asks for a person. `malformed`: a reply and its repair. `failed`: no reply. `verdict`: the work fails. `retries`:
 * judges ask for more tries than there are. `disagreement`: judges differ. `blocked`, `destructive`: what a detector has found.
 */
export type HaltCause = 'escalation' | 'malformed' | 'failed' | 'verdict' | 'retries' | 'disagreement' | FlagKind;

export type FlagKind = 'blocked' | 'destructive';

/** A sub-task without its texts, as the reader has checked it. */
export type PlannedTask = Pick<SubTask, 'id' | 'title' | 'order' | 'depends_on' | 'role'>;

export interface Flag {
  kind: FlagKind;
  reason: string;
}

export const OPERATOR_CHOICES = ['retry', 'pass', 'skip', 'stop', 'needs_retry', 'fail'] as const;
export const CONFIRMATIONS = ['confirm', 'retry', 'skip', 'stop'] as const;
/**
 * `confirm`: begin. `retry`: the role is asked again, with the comment. `pass`: a reply that was held is taken as it is; a sub-task without
 * one counts as passed. `skip`: the sub-task is left out, and with it those that depend on it. `stop`: the brief ends here. The other two
 * are verdicts, where judges disagree.
 */
export type OperatorChoice = (typeof OPERATOR_CHOICES)[number] | (typeof CONFIRMATIONS)[number];

/** The name by which a rule knows a role's reply. */
export const REPLY_DOCUMENT = 'reply';
