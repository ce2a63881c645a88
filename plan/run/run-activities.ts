import type { Allowance } from '../budgets/budget';
import type { Starter } from '../people/starter';
import type { ControlPlan } from '../steps/control';
import type { Json } from '../text/json';
import type { ControlRef } from './artifact';
import type { EndContent } from './end-content';
import type { JournalEntry } from './journal';
import type { ParentRun, RunInput, ScheduledFor, StartedFrom } from './run-input';
import type { SearchAttributeName } from './search-attributes';

/** Activities on a run's own ledger: they open it, page its journal, and keep its state. */

export interface OpenRunInput {
  /** Id of the run's first execution: survives continue-as-new and reset. */
  run: string;
  workflowType: string;
  input: RunInput;
  /** When the first execution started, ISO 8601. Absent: when the run is first opened. */
  startedAt?: string;
  namespace?: string;
  /** The schedule that started it, as the search attribute says. */
  scheduledBy?: string;
  /** When the schedule had it start, as the search attribute says, ISO 8601. */
  scheduledAt?: string;
}

export interface LoadPlanInput {
  run: string;
  /** How many bytes the caller has already. @default 0 */
  from?: number;
}

/**
 * The version of what workflows do. A change that gives a run in progress other commands, or the same in another order, adds one and says
 * below what is new; its code asks `beganWith(run, version)`, and does for older runs what was done before. docs/internals/guides.md has
 * the steps.
 *
 * 1: the first.
 */
export const RUN_VERSION = 1;

export interface OpenedRun {
  /** `RUN_VERSION` of the worker that opened it. */
  version: number;
  /** Absent: it is large, and `loadPlan` brings it. */
  plan?: ControlPlan;
  planRef: ControlRef<'plan'>;
  args: Record<string, Json>;
  script?: { name: string };
  /** When the run's first execution started, ISO 8601. */
  startedAt: string;
  /** Absent: neither a schedule nor its starter says for which moment it is. */
  scheduled?: ScheduledFor;
  /** Absent: the starter is unknown. */
  startedBy?: Starter;
  /** Set by `rerun`. */
  carried?: ControlRef<'carry'>;
  /** The post-mortem is requested. */
  postMortem?: true;
  /** The parent of a child pipeline, whose ledger has it. */
  parent?: ParentRun;
  /** Set for a run that an agent of another one started. */
  startedFrom?: StartedFrom;
  /** What that parent reserved for it before it started. */
  budget?: Allowance;
  /** The attributes that the server knows; an unregistered one would wedge the run. */
  searchAttributes: SearchAttributeName[];
}

export interface JournalInput {
  run: string;
  entries: JournalEntry[];
  /** The run ends with it. */
  last?: true;
  /** Set with `last`. An activity's input is not in history if it is local. */
  end?: EndContent;
}
export interface SaveStateInput {
  run: string;
  /** JSON; its content is the interpreter's own business. */
  state: object;
}
export interface LoadStateInput {
  run: string;
  ref: ControlRef<'snapshot' | 'carry'>;
  /** How many bytes of it the caller has already, if it is packed. @default 0 */
  from?: number;
}
