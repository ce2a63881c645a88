import type { RunRequest, StartedRunView } from '../agents/run-request';
import type { SpawnedWork, SpawnRequest, SpawnResult } from '../agents/spawned-agent';
import type { BudgetLimits, BudgetShort } from '../budgets/budget';
import type { Usage } from '../budgets/usage';
import type { ReviewFindings } from '../patterns/review-findings';
import type { ApprovalNeed, RecordedApproval } from '../people/category';
import type { ArtifactRef } from '../run/artifact';

import type { HandedEvent } from '../run/journal';
import type { RunEnd } from '../run/run-end';
import type { WorktreeSaved, WorktreeUse } from '../run/worktree';
import type { Json } from '../text/json';
import type { EscalationAnswer, EscalationRequest } from './escalation';
import type { TryNote } from './try-note';
import type { VerdictRecord } from './verdict';

/** What the activity of a step is given, and what it gives: part of the contract between workflows and activities. */

/** What every step's activity gets. Its address is the activity id. */
export interface StepInput {
  run: string;
  inputs?: Record<string, ArtifactRef>;
  /** Of an agent: what else it may read by reference, the outputs of steps upstream that are not among `inputs`. At most `MOST_UPSTREAM`, the nearest. */
  upstream?: Record<string, ArtifactRef>;
  /** Steps further upstream have output more. */
  moreUpstream?: true;
  /** Of an agent: what was decided upstream, by step. */
  constraints?: Record<string, ArtifactRef>;
  records?: Record<string, Record<string, Json>>;
  findings?: Findings;
  /** The step's own output of the round before; of a critic its own. */
  previous?: ArtifactRef;
  /** Of a review that judges again: what it judged the last time. */
  judgedBefore?: ArtifactRef;
  note?: TryNote;
  /** An operator's replacement for the inputs. */
  with?: Json;
  messages?: AgentMessage[];
  /** Of a review: its critic is asked, and not its reviewer. */
  critic?: true;
  /** The loops around it, from the outside in. */
  loops?: LoopPosition[];
  /** In `finally`: how the run's work ended. */
  end?: RunEnd;
  /** What this try may use in all. Absent: as much as it wants. */
  budget?: BudgetLimits;
  /** What became of the children that the agent has spawned in this try. */
  spawned?: SpawnResult[];
  /** Ids of the agent's requests that the run has taken up. */
  runRequests?: string[];
  /** Runs that this agent has started and that are not known to have ended. */
  started?: StartedRunView[];
  /** Work of a child, and not of the step's own agent. */
  spawn?: SpawnedWork;
  /** An agent of the escalation chain is asked what becomes of the step. */
  escalation?: EscalationRequest;
  /** Of the owner's own work: the contexts of its steps so far that no later one has taken up. */
  context?: ArtifactRef[];
  /** A person's answers to actions that need one. */
  approvals?: RecordedApproval[];
  /** Where it works. */
  worktree?: WorktreeUse;
}

/** Of artifacts upstream, beside the inputs: each task of an agent carries them, so they must not grow with the pipeline. */
export const MOST_UPSTREAM = 64;

/** Where in a loop a step is. */
export type LoopPosition = ItemPosition | RoundPosition;

/** In which round, and what the round before put out: no more than the step renders, by the ids of the steps; absent in the first. */
export interface RoundPosition {
  index: number;
  roundVar: string;
  lastVar: string;
  last?: Record<string, ArtifactRef>;
}

/** At which item: the list is in the store, so that items never travel. Of a stream each item is. */
export interface ItemPosition {
  list?: ArtifactRef;
  item?: ArtifactRef;
  index: number;
  /** The names under which the body reads them. */
  itemVar: string;
  indexVar: string;
}

/** Why a step runs another round. */
export interface Findings {
  /** Short address of the review that sent it back. */
  review: string;
  report?: ArtifactRef;
  /** What a person at an escalation gate, or an agent of the chain, asked for. */
  instructions?: string;
  /** For the review that judges again: what it found the last time. */
  round?: number;
  /** What others found, oldest last, where the work was sent back again before it was done. */
  also?: Omit<Findings, 'also'>[];
}

export interface AgentMessage {
  from: string;
  content: Json;
  at: string;
}

/** Absent unless a try has begun more than once, because a worker that had begun it was lost. */
export interface Begins {
  /** Each time, by the clock of whose work it was, in milliseconds; the first one first. */
  begun?: number[];
}

export interface StepOutput extends Begins {
  artifact?: ArtifactRef;
  /** By `pathKey`: exactly the plan's `reads`, at most 64 KiB. */
  values?: Record<string, Json>;
  verdict?: VerdictRecord;
  /** Of a review, with its verdict. */
  findings?: ReviewFindings;
  usage?: Usage;
  adapter?: string;
  /** Repair requests made within the try, each with what was missing. */
  repairs?: { missingFields: string[] }[];
  /** What a step with `approval` asks now that its work is done. */
  approval?: RenderedApproval;
  /** Of the owner's own work: its context, with what it was given. */
  context?: ArtifactRef;
  /** Why the agent has paused and is to be called again with what it lacks; without it the work is done. */
  paused?: Pause;
  /** An escalation agent's decision. */
  escalated?: EscalationAnswer;
  /** What goes to the run's journal: exchanges with other agents, refused calls. Bounded. */
  journal?: HandedEvent[];
  toolCalls?: number;
  /** A list of what it has emitted (`EmittedItem`), as references. */
  emitted?: ArtifactRef;
  /** Of work in a worktree. */
  worktree?: WorktreeSaved;
}

/**
 * An agent that cannot continue yet. Recorded turns are kept, so the next call of the same activity continues after them; `usage` in the
 * output is all that the try has used so far.
 */
export type Pause =
  | { kind: 'budget'; short: BudgetShort }
  | { kind: 'approval'; need: ApprovalNeed }
  /** It continues as soon as the run has taken them up. */
  | { kind: 'run-requests'; runRequests: RunRequest[] }
  /** `children` have not been announced to it. It waits for the next of them to end, or, with `goesOn`, for nothing but a share of its budget for each. */
  | { kind: 'spawned'; children: SpawnRequest[]; goesOn?: true }
  /** As many of its pipeline's agents are in flight as may be, over the fleet; its run is woken when its turn comes. */
  | { kind: 'in-line' }
  /** As many of the items that it has emitted wait as may. */
  | { kind: 'held-back' }
  /** Nobody waits for it any more; its output says what it had used by then. */
  | { kind: 'cancelled' };

/** The question of an approval behind a step: its own prompt, or what the command printed. */
export interface RenderedApproval {
  /** A `GateForm`; its digest is what a decision binds to. */
  form: ArtifactRef;
  question: string;
  initiatedBy?: string;
  requiredApprover?: string;
  requireDifferentApprover?: true;
}

/** The key of a read path in `StepOutput.values`; the whole output is `$`. */
export function pathKey(path: readonly (string | number)[]): string {
  return path.length === 0 ? '$' : path.join('.');
}

/** The key under which a command's text output travels, where an expression reads it. */
export const STDOUT_KEY = '$stdout';
