import type { KindViews } from '../../kinds/views';
import type { BudgetView } from '../budgets/budget';
import type { Usage } from '../budgets/usage';
import type { GateView } from '../people/gate';
import type { Starter } from '../people/starter';
import type { StepKind } from '../steps/step';
import type { VerdictRecord } from '../steps/verdict';
import type { ArtifactRef, FrozenRef } from './artifact';
import type { StepState } from './step-state';

/** Where several hold at once, the earlier in the order paused, held, running, waiting is shown (engine.md, *A run*). */
export const RUN_STATES = ['running', 'waiting', 'held', 'paused', 'completed', 'rejected', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

export interface ErrorView {
  code: string;
  message: string;
}

/** What the query `status` answers, and `thermidor status --json` prints. Times are ISO 8601 in UTC. */
export interface RunView {
  run: string;
  runId: string;
  firstRunId: string;
  pipeline: string;
  owner?: string;
  /** Absent: nobody is known to have started it. */
  startedBy?: Starter;
  description?: string;
  state: RunState;
  startedAt: string;
  endedAt?: string;
  /** The script that plays the agents, if there is one. */
  script?: string;
  /** Absent while the run opens, and where it could not. */
  plan?: FrozenRef<'plan'>;
  args: Record<string, unknown>;
  /**
   * One page of the steps, in the plan's order: a step within another comes after it, with a longer address. Of loops and
   * branches only what has begun is listed.
   */
  steps: StepView[];
  offset: number;
  totalSteps: number;
  gates: GateView[];
  /** Steps that wait for an operator, those of child pipelines among them. */
  held?: HeldStepView[];
  /** While it is paused: who paused it, why, and since when (ISO 8601). */
  paused?: { by?: string; reason?: string; since?: string };
  /** While a swarm is at work beside which nothing else starts: its step, and since when (ISO 8601). */
  pausedForSwarm?: { step: string; since: string };
  error?: ErrorView & { step?: string };
  /** Why a run was rejected. */
  reason?: string;
  usage?: Usage;
  /** Where the run has a budget. */
  budget?: BudgetView;
  /** Messages to channels that are on their way, and, with `error`, the last that were given up. */
  undelivered?: UndeliveredView[];
  /** What agents have escalated, the last 20. */
  raised?: RaisedView[];
}

/** An agent's report to the one above it. `at` is ISO 8601. */
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
  /** The step whose it is, by its path. */
  slot: string;
  commit: string;
  host?: string;
  branch?: string;
  /** How often it was made, on one host after the other. */
  epoch?: number;
}

/** What its kind shows of itself comes under a key of the kind's own (`kinds/views.ts`). */
export interface StepView extends RoundView, KindViews {
  id: string;
  kind: StepKind;
  /** What people call the item of the loop that the step is within; of loops within each other, from the outside in. */
  item?: string;
  agent?: string;
  /** Of an agent running: the turn in progress. The run does not know it: `thermidor` adds it, from the last sign of life. */
  turn?: number;
  /** What it waits for, in words: a person, an operator, the next try. */
  waitingFor?: string;
  /** That its condition was false, and what was compared. Absent: it was not skipped for that. */
  skipped?: string;
  /** What it waits for needs the artifact store alone: since when. That takes milliseconds, unless the worker cannot reach the store. ISO 8601. */
  storeSince?: string;
  /** When the approvers at its gate are reminded next. */
  remindAt?: string;
  /** The run that it was brought over from by a rerun: it was not done here. */
  carried?: { run: string };
  /** Of a loop: its iterations. Those that are done are not listed one by one. */
  iterations?: { done: number; total: number };
  /** Of a child pipeline: its workflow id. */
  child?: string;
  decision?: { choice: string; by?: string; comment?: string };
  /** Where it works, and the commit that it was at last. `host` and `branch` are those of the worktree now. */
  worktree?: WorktreeView;
  /** Where the step has a budget of its own. */
  budget?: BudgetView;
  superseded?: RoundView[];
}

/** Arguments of the `status` query, all optional. `limit` is at most 1,000. */
export interface StatusQuery {
  offset?: number;
  limit?: number;
}
export const STATUS_PAGE = 1000;

/** What a run answers to queries other than `status` before its plan is there. */
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
