import type { KindViews } from '../../kinds/traits';
import type { BudgetView } from '../budgets/budget';
import type { Usage } from '../budgets/usage';
import type { GateView } from '../people/gate';
import type { Starter } from '../people/starter';
import type { StepKind } from '../steps/step';
import type { VerdictRecord } from '../steps/verdict';
import type { ArtifactRef, ControlRef } from './artifact';
import type { StepState } from './step-state';

/** If several hold at once, the first of paused, held, running, waiting is shown. */
export const RUN_STATES = ['running', 'waiting', 'held', 'paused', 'completed', 'rejected', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

export interface ErrorView {
  code: string;
  message: string;
}

/** The answer to the query `status`, which `thermidor status --json` prints. Times are ISO 8601 in UTC. */
export interface RunView {
  run: string;
  runId: string;
  firstRunId: string;
  pipeline: string;
  owner?: string;
  /** Absent: the starter is unknown. */
  startedBy?: Starter;
  description?: string;
  state: RunState;
  startedAt: string;
  endedAt?: string;
  /** The script that plays the agents, if there is one. */
  script?: string;
  /** Absent while the run opens, and if it could not. */
  plan?: ControlRef<'plan'>;
  args: Record<string, unknown>;
  /**
   * One page of the steps, in the plan's order: an inner step comes after its container, with a longer address. For loops and branches only
   * those that have begun are listed.
   */
  steps: StepView[];
  offset: number;
  totalSteps: number;
  gates: GateView[];
  /** Steps that wait for an operator, those of child pipelines among them. */
  held?: HeldStepView[];
  /** While it is paused: who paused it, why, and since when (ISO 8601). */
  paused?: { by?: string; reason?: string; since?: string };
  /** Set while a swarm runs that keeps anything else from starting: its step, and since when (ISO 8601). */
  pausedForSwarm?: { step: string; since: string };
  error?: ErrorView & { step?: string };
  /** Why a run was rejected. */
  reason?: string;
  usage?: Usage;
  /** Set if the run has a budget. */
  budget?: BudgetView;
  /** Messages to channels that are on their way, and, with `error`, the last that were given up. */
  undelivered?: UndeliveredView[];
  /** The last 20 escalations by agents. */
  raised?: RaisedView[];
}

/** An agent's report to its superior. `at` is ISO 8601. */
export interface RaisedView {
  /** Short address. */
  step: string;
  agent: string;
  to: string;
  reason: string;
  at: string;
}

/** A message that its channel has not taken. `since` is ISO 8601. */
export interface UndeliveredView {
  channel: string;
  message: string;
  since: string;
  /** Why it was given up. Absent: it is still tried. */
  error?: ErrorView;
}

/** One round of a step. Earlier rounds are kept under `superseded`. */
export interface RoundView {
  address: string;
  state: StepState;
  round: number;
  try: number;
  startedAt?: string;
  endedAt?: string;
  artifact?: ArtifactRef;
  verdict?: VerdictRecord;
  usage?: Usage;
  error?: ErrorView;
  adapter?: string;
}

export interface WorktreeView {
  /** The path of the step to which it belongs. */
  slot: string;
  commit: string;
  host?: string;
  branch?: string;
  /** How often it was made, on one host after the other. */
  epoch?: number;
}

/** What its kind shows of itself comes under a key of the kind's own (the trait `view`). */
export interface StepView extends RoundView, KindViews {
  id: string;
  kind: StepKind;
  /** The name of the loop's item that the step is within, for nested loops outermost first; for a member of a board its name. */
  item?: string;
  agent?: string;
  /** For a running agent: the turn in progress. The run does not know it: `thermidor` adds it, from the last sign of life. */
  turn?: number;
  /** What it waits for, in words: a person, an operator, the next try. */
  waitingFor?: string;
  /** That its condition was false, and the compared values. Absent: it was not skipped for that. */
  skipped?: string;
  /** Since when it waits for the artifact store alone, ISO 8601. That takes milliseconds, unless the worker cannot reach the store. */
  storeSince?: string;
  /** When the approvers at its gate are reminded next. */
  remindAt?: string;
  /** The run that it was brought over from by a rerun: it was not done here. */
  carried?: { run: string };
  /** For a loop: its iterations. Finished ones are not listed one by one. */
  iterations?: { done: number; total: number };
  /** The workflow id of a child pipeline. */
  child?: string;
  decision?: { choice: string; by?: string; comment?: string };
  /** Where it works, and its last commit. `host` and `branch` are those of the worktree now. */
  worktree?: WorktreeView;
  /** Set if the step has a budget of its own. */
  budget?: BudgetView;
  superseded?: RoundView[];
}

/** Arguments of the `status` query, all optional. `limit` is at most 1,000. */
export interface StatusQuery {
  offset?: number;
  limit?: number;
}
export const STATUS_PAGE = 1000;

/** A run's answer to queries other than `status` before its plan is loaded. */
export const STILL_OPENING = 'the run is opening; ask again';

/** A step that waits for an operator, under its name in the reporting run. */
export interface HeldStepView {
  step: string;
  /** As in `StepView`. */
  item?: string;
  reason: string;
  /** ISO 8601. */
  since?: string;
}
