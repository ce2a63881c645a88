import type { Allowance } from '../budgets/budget';
import type { Starter } from '../people/starter';
import type { ControlPlan } from '../steps/control';
import type { Json } from '../text/json';
import type { FrozenRef } from './artifact';
import type { JournalEntry } from './journal';
import type { ParentRun, RunInput, StartedFrom } from './run-input';
import type { SearchAttributeName } from './search-attributes';

/** What a run asks of its own ledger: activities that open it, page its journal, and keep its state. */

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
  /** How many bytes are there already. @default 0 */
  from?: number;
}

/**
 * What runs that begin now do differently from those that an earlier version began, whose histories are replayed as they were.
 * 2: notices have numbers of their own, so that a new journal entry moves no address; reviews journal their feedback.
 * 3: one timer is the deadline of what is waited for piece by piece; rules decide in local activities.
 * 4: a producer that is held back goes on when half of what may wait is free, and no sooner; it is not held back by a loop that is over, nor as the execution closes. A
 * loop over a stream begins again where its producer has begun another round. A round that is called off begins no activity, and slots that it gives back are used at
 * once. Of people's answers, those of approvals alone keep a time-out from striking. A container's next try knows the rounds of what is forgotten within it. What a swarm
 * has paused is not resumed where its round of a loop is over, asks its questions at once, and keeps no budget.
 * 5: what signals bring is taken up many at a time. Nobody fills two places in a question that is several gates. A stage that asks a model is held under a
 * ceiling in tokens, too, and a try whose worker was lost has used all the tokens that it was given. A step has so many tries in all as its `retry` says.
 * Agents of steps are their owner's children, of which so many are in flight as an agent may have. The threshold of a vote is a share of all votes, abstentions included.
 * The time of a Lobster file's containers rests while a person is asked within.
 * Who waits while another asks for a worktree that they share waits as the run knows it. A child that is called off before it may begin ends at once.
 */
export const RUN_VERSION = 5;

export interface OpenedRun {
  /** @default 1 */
  version?: number;
  /** Absent: it is large, and comes by `loadPlan`. */
  plan?: ControlPlan;
  planRef: FrozenRef<'plan'>;
  args: Record<string, Json>;
  script?: { name: string };
  /** When the run's first execution started, ISO 8601. Workers of an earlier version leave it out. */
  startedAt?: string;
  /** Absent: nobody is known to have started it. */
  startedBy?: Starter;
  /** Set by `rerun`. */
  carried?: FrozenRef<'carry'>;
  /** Its post-mortem is asked for. */
  postMortem?: true;
  /** Of a child pipeline whose parent's ledger has it. */
  parent?: ParentRun;
  /** Of a run that an agent of another one started. */
  startedFrom?: StartedFrom;
  /** What that parent reserved for it before it started. */
  budget?: Allowance;
  /** Those the server knows; an unregistered one would wedge the run. */
  searchAttributes: SearchAttributeName[];
}

export interface JournalInput {
  run: string;
  entries: JournalEntry[];
  /** The run ends with it. */
  last?: true;
}
export interface SaveStateInput {
  run: string;
  /** JSON; what it is made of is the interpreter's own business. */
  state: object;
}
export interface LoadStateInput {
  run: string;
  ref: FrozenRef<'snapshot' | 'carry'>;
  /** How many bytes of it are there already, where it comes packed. @default 0 */
  from?: number;
}
