import type { ReviewVerdict, SubTask } from '../../plan/brief/hand-off';
import type { ArtifactRef } from '../../plan/run/artifact';

/**
 * Where a brief's team is, as plain JSON: it is kept with the step, over executions. What agents and people say is in the store; here are
 * references and short reasons. Invariants: 1. a sub-task is at work only while it is the current one; 2. a passed or skipped sub-task
 * stays so; 3. there is a halt exactly in `block` and `escalate`.
 */
export interface CoordinatorState {
  at: CoordinatorWord;
  team: TeamRules;
  /** Agents' replies so far: the next call has the number after it. */
  calls: number;
  /** Questions to people so far. */
  asks: number;
  /** The planner's hand-off. */
  plan?: ArtifactRef;
  /** In the order in which they run. */
  subtasks: SubTaskState[];
  isPlanConfirmed?: true;
  /** The id of the sub-task that is assigned. */
  current?: string;
  /** What a person says to the agent that is asked next. */
  comment?: ArtifactRef;
  halt?: Halt;
  over?: CoordinatorEnd;
}

export const COORDINATOR_WORDS = [
  'init',
  'plan',
  'dispatch',
  'execute',
  'review_step',
  'retry',
  'next_subtask',
  'block',
  'escalate',
  'complete',
] as const;
export type CoordinatorWord = (typeof COORDINATOR_WORDS)[number];

/** `incomplete`: a sub-task was skipped. `stopped`: a person has ended it. */
export type CoordinatorEnd = 'success' | 'incomplete' | 'stopped';

export const JUDGES = ['reviewer', 'critic'] as const;
export type Judge = (typeof JUDGES)[number];

export interface TeamRules {
  /** A person confirms the plan and each sub-task. */
  isGated: boolean;
  /** Who judges executions, in this order. Nobody: an execution passes. */
  judges: readonly Judge[];
  /** How often a sub-task may be tried again because judges say so. */
  retries: number;
}

export interface SubTaskState extends Pick<SubTask, 'id' | 'role'> {
  /** Shortened, for people. */
  title: string;
  dependsOn: string[];
  stage: 'open' | 'working' | 'passed' | 'skipped';
  /** Executions that were asked for. */
  attempts: number;
  /** How often judges have asked for another try since a person last did. */
  retries: number;
  /** The last execution. Absent: there is none, or a person has passed the sub-task without one. */
  execution?: ArtifactRef;
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
  /** The reply is good in itself, and is in the state: only a detector has stopped it. `pass` takes it as it is. */
  isHeld?: true;
}

/**
 * `escalation`: a role asks for a person. `malformed`: a reply and its repair. `failed`: no reply. `verdict`: the work fails. `retries`:
 * judges ask for more tries than there are. `disagreement`: judges differ. `blocked`, `destructive`: what a detector has found.
 */
export type HaltCause = 'escalation' | 'malformed' | 'failed' | 'verdict' | 'retries' | 'disagreement' | FlagKind;

export type FlagKind = 'blocked' | 'destructive';
