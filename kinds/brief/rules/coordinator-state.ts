import type { CoordinatorWord } from '../../../plan/brief/note';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { CoordinatorEnd, Halt, Judge, SubTaskState } from './words';

/**
 * Where a brief's team is, as plain JSON: it is kept with the step, over executions. What agents and people say is in the store; here are
 * references and short reasons. Invariants: 1. a sub-task is at work only while it is the current one; 2. a passed or skipped sub-task
 * stays so; 3. there is a halt exactly in `block` and `escalate`.
 */
export interface CoordinatorState {
  at: CoordinatorWord;
  team: TeamRules;
  /** Agents' replies so far. Turns are numbered by them. */
  calls: number;
  /** Requests to agents so far: a repair, a further try, and what spawned agents are asked are requests, too. */
  requests: number;
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

export interface TeamRules {
  /** A person confirms the plan and each sub-task. */
  isGated: boolean;
  /** Who judges executions, in this order. Nobody: an execution passes. */
  judges: readonly Judge[];
  /** How often a sub-task may be tried again because judges say so. */
  retries: number;
  /** One agent does the whole brief: nobody plans. */
  isSingle?: true;
  /** Nothing is carried out, and nobody is asked but the planner. */
  isPlanOnly?: true;
}
