import type { BudgetSpec } from '../../plan/budgets/budget';
import type { Expr } from '../../plan/expressions/expression';
import type { MergeStrategy } from '../../plan/queue/queue-settings';
import type { Sha256 } from '../../plan/run/artifact';
import type { StepBase } from '../../plan/steps/step-base';

/**
 * Members claim tasks from a board themselves. `parts` are the steps that it runs in turns: `<id>_<agent>` is one WORK of a member that
 * runs as that agent, and `<id>_person` asks a person about a task that was tried too often.
 */
export interface BoardOf<S> extends StepBase {
  kind: 'board';
  parts: S[];
  team: string;
  /** The first is the lead, if the lead is an agent. */
  members: PlannedMember[];
  /** Tasks as the file lists them, or the value that lists them when the step begins. */
  tasks: { list: PlannedTask[] } | { from: Expr };
  /** Agents that the lead may spawn. */
  spawns: string[];
  /** Slots for members: those of the file, and those that are spawned. */
  mostMembers: number;
  idleMs: number;
  shutdownMs: number;
  /** The replies of one WORK. */
  maxTurns: number;
  attempts: number;
  /** For all attempts at a task. */
  taskBudget?: BudgetSpec;
  until: 'idle' | 'all_done' | 'stopped';
  /** Each task has a worktree of its own, unless it says otherwise; `worktree` says how they are made. */
  worktrees?: true;
  /** The branch that commits of tasks with a worktree land in, the command that must pass in each merged tree, and the queue's strategy. */
  lands?: { into: string; test?: string; strategy?: MergeStrategy };
}

export interface PlannedMember {
  name: string;
  agent: string;
  role?: string;
  isLead?: true;
  /** A `Template` as JSON, by digest. */
  prompt?: Sha256;
}

export interface PlannedTask {
  name?: string;
  subject: string;
  /** A `Template` as JSON, by digest. */
  description?: Sha256;
  /** Names of tasks of this list. */
  blockedBy?: string[];
  requiredRole?: string;
  priority?: number;
  /** Whether it has a worktree, and what that is called. */
  worktree?: boolean | string;
}

/** The part in which a person decides about a task. */
export const PERSON_PART = 'person';
