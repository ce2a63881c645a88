import type { Proof } from '../people/proof';
import type { Json } from '../text/json';
import type { ControlRef } from './artifact';

/**
 * Input of the workflow. All optional: the workflow type names the pipeline, so `{}` is enough. Anyone may have typed it: a reference
 * counts only if the store has its content as that kind.
 */
export interface RunInput {
  /** The workflow's type. */
  pipeline?: string;
  args?: Record<string, Json>;
  /** Name of a script in the pipeline's folder, or its reference if the client read it. */
  script?: string | ControlRef<'script'>;
  /** The frozen plan, if the client compiled it. */
  plan?: ControlRef<'plan'>;
  /** Who starts the run: with four eyes somebody else decides. A claim, unless `proof` holds. */
  startedBy?: string;
  /** Proves `runsStartedBy`: seals this input for this run. */
  proof?: Proof;
  /** The moment that the run is for, if a person starts it in place of a schedule. */
  scheduled?: ScheduledFor;
  /** The trace in which the starter has it run, as W3C Trace Context writes it. */
  traceparent?: string;
  /** Set by continue-as-new only: the state to continue from. */
  resume?: ControlRef<'snapshot'>;
  /** Set for a child pipeline, alone: its order is in this run's ledger, and nothing else is believed. */
  parent?: ParentRun;
  /** Set by `rerun`: the earlier run's records to begin with. */
  carried?: ControlRef<'carry'>;
  /** The starter asks for a post-mortem. */
  postMortem?: true;
}

/** The moment for which a schedule starts a run, and the moment of the schedule before it; ISO 8601. */
export interface ScheduledFor {
  at: string;
  /** Absent: the pipeline has no such trigger, or there was none before. */
  before?: string;
}

/** The run and the step that a child pipeline belongs to. */
export interface ParentRun {
  workflowId: string;
  /** Id of its first execution. */
  run: string;
  /** Address of the `pipeline` step's try. */
  step: string;
  /** Set if the parent is a child itself. */
  parent?: ParentRun;
}

/** The agent that has a run started, and the run and the step that it works in. */
export interface StartedFrom extends ParentRun {
  agent: string;
}
