import type { DecisionAnswer, DecisionRequest } from '../agents/decision';
import type { RunRequest, StartedRunView } from '../agents/run-request';
import type { SpawnedWork, SpawnRequest, SpawnResult } from '../agents/spawned-agent';
import type { WorkEnd } from '../board/member';
import type { MemberWork } from '../board/member-work';
import type { MemberReport } from '../board/report';
import type { AuthorityNow, GrantNeed } from '../brief/authority';
import type { Asked } from '../brief/read-hand-off';
import type { BudgetLimits, BudgetShort } from '../budgets/budget';
import type { Usage } from '../budgets/usage';
import type { ReviewFindings } from '../patterns/review-findings';
import type { ApprovalNeed, RecordedApproval } from '../people/category';
import type { Gate, GateForm } from '../people/gate';
import type { ArtifactRef } from '../run/artifact';

import type { HandedEvent } from '../run/journal';
import type { RunEnd } from '../run/run-end';
import type { WorktreeSaved, WorktreeUse } from '../run/worktree';
import type { Json } from '../text/json';
import type { EscalationAnswer, EscalationRequest } from './escalation';
import type { TryNote } from './try-note';
import type { VerdictRecord } from './verdict';

/** Inputs and results of a step's activity: part of the contract between workflows and activities. */

/** What a step's templates read. */
export interface Readable {
  inputs?: Record<string, ArtifactRef>;
  records?: Record<string, Record<string, Json>>;
  /** An operator's replacement for the inputs. */
  with?: Json;
  /** The loops around the step, from the outside in; a name of an inner loop hides the same one of an outer. */
  loops?: LoopPosition[];
  /** In `finally`: how the run's work ended. */
  end?: RunEnd;
}

/** The input of every step's activity. Its address is the activity id. */
export interface StepInput extends Readable {
  run: string;
  /**
   * For an agent: what else it may read by reference, the outputs of steps upstream that are not among `inputs`. At most `MOST_UPSTREAM`,
   * the nearest.
   */
  upstream?: Record<string, ArtifactRef>;
  /** Steps further upstream have output more. */
  moreUpstream?: true;
  /** For an agent: decisions made upstream, by step. */
  constraints?: Record<string, ArtifactRef>;
  findings?: Findings;
  /** The step's own output of the round before; of a critic its own. */
  previous?: ArtifactRef;
  /** For a review that judges again: the work that it judged the last time. */
  judgedBefore?: ArtifactRef;
  note?: TryNote;
  messages?: AgentMessage[];
  /** For a review: its critic is asked, and not its reviewer. */
  critic?: true;
  /** What this try may use in total. Absent: unlimited. */
  budget?: BudgetLimits;
  /** What a member's turn may use is used up, and it would have needed this: it ends with what it has said. */
  spent?: BudgetShort;
  /** The ends of the children that the agent has spawned in this try. */
  spawned?: SpawnResult[];
  /** Ids of the agent's requests that the run has taken up. */
  runRequests?: string[];
  /** The run's answers to what the last call has paused for. */
  decisions?: DecisionAnswer[];
  /** The member of a board as which the agent works. */
  member?: MemberWork;
  /** The hand-off that the agent's reply has to be. */
  handOff?: Asked;
  /** Runs that this agent has started and that are not known to have ended. */
  started?: StartedRunView[];
  /** Work of a child, and not of the step's own agent. */
  spawn?: SpawnedWork;
  /** Set if an agent of the escalation chain is asked what to do with the step. */
  escalation?: EscalationRequest;
  /** For the owner's own work: the contexts of its earlier steps that no later one has taken up. */
  context?: ArtifactRef[];
  /** People's answers to actions that need approval. */
  approvals?: RecordedApproval[];
  /** What its agent may do for a brief. Absent: it works for none. */
  authority?: AuthorityNow;
  /** The worktree in which it works. */
  worktree?: WorktreeUse;
}

/** The limit of artifacts upstream, apart from the inputs: each task of an agent carries them, so they must not grow with the pipeline. */
export const MOST_UPSTREAM = 64;

/** The position of a step in a loop. */
export type LoopPosition = ItemPosition | RoundPosition;

/** The round, and the outputs of the previous one: only those that the step renders, by the ids of the steps; absent in the first. */
export interface RoundPosition {
  index: number;
  roundVar: string;
  lastVar: string;
  last?: Record<string, ArtifactRef>;
}

/** The item: the list is in the store, so that items never travel. For a stream each item is. */
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
  /** The request of a person at an escalation gate, or of an agent of the chain. */
  instructions?: string;
  /** For the review that judges again: the round of its last findings. */
  round?: number;
  /** Earlier findings of others, oldest last, if the work was sent back again before it was done. */
  also?: Omit<Findings, 'also'>[];
}

export interface AgentMessage {
  from: string;
  content: Json;
  at: string;
}

/** Absent unless a try has begun more than once, because a worker that had begun it was lost. */
export interface Begins {
  /** Each beginning, by the clock of the worker that did the work, in milliseconds; the first one first. */
  begun?: number[];
}

export interface StepOutput extends Begins {
  artifact?: ArtifactRef;
  /** Values by `pathKey`: exactly the plan's `reads`, at most 64 KiB. */
  values?: Record<string, Json>;
  verdict?: VerdictRecord;
  /** For a review, with its verdict. */
  findings?: ReviewFindings;
  usage?: Usage;
  adapter?: string;
  /** Repair requests made within the try, each with the missing fields. */
  repairs?: { missingFields: string[] }[];
  /** The question of a step with `approval`, now that its work is done. */
  approval?: RenderedApproval;
  /** For the owner's own work: its context, with what it was given. */
  context?: ArtifactRef;
  /** How many exchanges of messages its transcript has, for a member of a board: the run takes up what it does not know. */
  exchanged?: number;
  /** How a member's work ended, if that is not by its last reply. */
  workEnd?: Exclude<WorkEnd, 'stopped'>;
  /** At the end `spent`: what it would have needed to go on. */
  short?: BudgetShort;
  /** What a member that is a program has answered. */
  report?: MemberReport;
  /** Why the agent has paused: it is called again with what it lacks. Absent: the work is done. */
  paused?: Pause;
  /** An escalation agent's decision. */
  escalated?: EscalationAnswer;
  /** Entries for the run's journal: exchanges with other agents, refused calls. Bounded. */
  journal?: HandedEvent[];
  toolCalls?: number;
  /** How many requests the try has made of agents: the task, repairs, news of its children, and those of its talks. @default 1 */
  requests?: number;
  /** A list of the emitted items (`EmittedItem`), as references. */
  emitted?: ArtifactRef;
  /** The result of work in a worktree. */
  worktree?: WorktreeSaved;
}

/**
 * An agent that cannot continue yet. Recorded turns are kept, so the next call of the same activity continues after them; `usage` in the
 * output is all that the try has used so far.
 */
export type Pause =
  | { kind: 'budget'; short: BudgetShort }
  | { kind: 'approval'; need: ApprovalNeed }
  /** A call needs what nothing authorises. */
  | { kind: 'grant'; need: GrantNeed }
  /** It continues as soon as the run has taken them up. */
  | { kind: 'run-requests'; runRequests: RunRequest[] }
  /** A call of a tool waits for the run's decision. */
  | { kind: 'decision'; asks: DecisionRequest[] }
  /**
   * `children` have not been announced to it. It waits for the next of them to end, or, with `goesOn`, for nothing but a share of its
   * budget for each.
   */
  | { kind: 'spawned'; children: SpawnRequest[]; goesOn?: true }
  /** The pipeline already has the most agents in flight, over the fleet; its run is woken when its turn comes. */
  | { kind: 'in-line' }
  /** As many emitted items as allowed are waiting. */
  | { kind: 'held-back' }
  /** Nobody waits for it any more; its output says what it had used. */
  | { kind: 'cancelled' };

/** The question of an approval after a step: its own prompt, or the command's output. */
export interface RenderedApproval extends Pick<Gate, 'question'>, Pick<GateForm, 'initiatedBy' | 'requiredApprover'> {
  /** A `GateForm`; a decision binds to its digest. */
  form: ArtifactRef;
  requireDifferentApprover?: true;
}

/** The key of a read path in `StepOutput.values`; the whole output is `$`. */
export function pathKey(path: readonly (string | number)[]): string {
  return path.length === 0 ? '$' : path.join('.');
}

/** The key under which a command's text output travels, if an expression reads it. */
export const STDOUT_KEY = '$stdout';
