import type { AnnounceInput, SpawnedInput, SpawnedOutput } from '../agents/spawned-agent';
import type { KeepLessonsInput, KeptLessons, MinedJournal, MineJournalInput } from '../memory/post-mortem-activities';
import type { ApplyRuleInput, ApplyRuleOutput } from '../patterns/rule';
import type { GateInput, NotifyInput, NotifyOutput, ProofCheck, ProofsInput, RenderedGate } from '../people/gate-activities';
import type {
  CandidateOutcome,
  CandidateOutcomeInput,
  SubmitCandidateInput,
  SubmittedCandidate,
  WithdrawCandidateInput,
} from '../queue/landing';
import type {
  ChildInput,
  ChildStepInput,
  CommandsInput,
  CommandsOutput,
  ComposeInput,
  ItemsOutput,
  ItemValuesInput,
  ItemValuesOutput,
  ResponseCheck,
  ResponsesInput,
  StagesInput,
  StagesOutput,
} from '../steps/container-activities';
import type { StepInput, StepOutput } from '../steps/step-activity';
import type { EmitItemOutput, EmitItemsInput, EmittedInput, EmittedOutput } from '../steps/stream';
import type { Json } from '../text/json';
import type { ArtifactRef, ControlRef } from './artifact';
import type { LedgerLookupInput, LedgerLookupOutput } from './ledger-lookup';
import type { PackedPart } from './packed-part';
import type { JournalInput, LoadPlanInput, LoadStateInput, OpenedRun, OpenRunInput, SaveStateInput } from './run-activities';
import type { ReadMessages, ReadMessagesInput, SendMessagesInput } from './run-messages';
import type { RunState } from './status';
import type { ClosedWorktree, WorktreeLease, WorktreeSaved } from './worktree';
import type { ClaimWorktreeInput, CloseWorktreeInput, RestoreWorktreeInput } from './worktree-activities';

/**
 * The contract between workflows, activities and clients: names, inputs, results. Inputs are kept small, because they are
 * what workflow history is made of: run and step are in the activity's own info, the plan is found by the run's ledger.
 */

export const TASK_QUEUE = 'thermidor';

/** What a query fails with where its answer would have changed the run. */
export const ASK_AGAIN = 'the worker does not have the last events of this run yet; ask again';

/** A query as it is asked of a run that is closed, which no answer changes. */
export const OF_CLOSED_RUN = 'closed:';

/** Where activities of steps with `queue: capability` wait for a worker that has it. */
export function capabilityQueue(taskQueue: string, capability: string): string {
  return `${taskQueue}:${capability}`;
}

/** How a run that closes as Completed ends. */
export interface RunResult {
  status: Extract<RunState, 'completed' | 'rejected'>;
  output: Json;
  /** Artifact of each step that has one; where they are more than a result can hold, of the first. */
  artifacts: Record<string, ArtifactRef>;
  /** How many are left out: `status` has them all. */
  moreArtifacts?: number;
  reason?: string;
}

/**
 * Activities by name. `openRun`, `loadPlan`, `journal`, `saveState`, `loadState`, `say`, `hear`, `recorded`, `spawned`, `announce`, `emitted` and `checkProofs` run as local activities, and
 * further parts of what is packed as regular ones: the server takes no more than 4 MiB of one task.
 */
export interface Activities {
  /** Loads and compiles the pipeline (or fetches its frozen plan), checks args, and records what it found: the run is frozen from here on. */
  /** Packed as JSON in one part, unless it does not fit into one. */
  openRun(input: OpenRunInput): Promise<OpenedRun | PackedPart>;
  /** The part of an open run's plan that controls it, as JSON, packed. */
  loadPlan(input: LoadPlanInput): Promise<PackedPart>;
  agent(input: StepInput): Promise<StepOutput>;
  command(input: StepInput): Promise<StepOutput>;
  /** Commands of a sequence, one after the other; each one's result is in the ledger before the next begins. */
  commands(input: CommandsInput): Promise<CommandsOutput>;
  /** A Lobster pipe, as far as its end or the next stage that asks a person. */
  stages(input: StagesInput): Promise<StagesOutput>;
  /** Evaluates what a `for_each` goes over and stores it. */
  items(input: StepInput): Promise<ItemsOutput>;
  /** What control reads of some items. */
  itemValues(input: ItemValuesInput): Promise<ItemValuesOutput>;
  /** What a producer has emitted since the run last looked. */
  emitted(input: EmittedInput): Promise<EmittedOutput>;
  /** Records items that people have sent to the run: the first of them, as many as there is time for. */
  emitItems(input: EmitItemsInput): Promise<EmitItemOutput[]>;
  /** Makes the output of a step that did not produce one itself: of a container from what is within, of a gate from its answer. */
  compose(input: ComposeInput): Promise<StepOutput>;
  /** Has a rule of a collaboration pattern decide over documents in the store, and stores what it says. */
  applyRule(input: ApplyRuleInput): Promise<ApplyRuleOutput>;
  /** Reads a run's journal, and stores what it says of the run. */
  mineJournal(input: MineJournalInput): Promise<MinedJournal>;
  /** Writes what a post-mortem has learned into the files that its step names. A file that cannot be written is no failure of it. */
  keepLessons(input: KeepLessonsInput): Promise<KeptLessons>;
  /** Renders and checks the args of a child pipeline, and records in the ledger what the child is to do. */
  childInput(input: ChildStepInput): Promise<ChildInput>;
  /** Checks answers to input gates: the first of them, as many as there is time for. */
  checkResponses(input: ResponsesInput): Promise<ResponseCheck[]>;
  /** Renders what a gate shows. */
  gate(input: GateInput): Promise<RenderedGate>;
  notify(input: NotifyInput): Promise<NotifyOutput>;
  /** Checks the seals of decisions. */
  checkProofs(input: ProofsInput): Promise<ProofCheck[]>;
  /** Nothing of the last page: the run has it, and each byte of an answer is in its history. */
  journal(input: JournalInput): Promise<ArtifactRef | null>;
  saveState(input: SaveStateInput): Promise<ControlRef<'snapshot'>>;
  /** JSON; packed where it is large. */
  loadState(input: LoadStateInput): Promise<Json | PackedPart>;
  /** Records what this run says to another, which reads it once it is woken. */
  say(input: SendMessagesInput): Promise<void>;
  /** What another run has said to this one since it was asked last. */
  hear(input: ReadMessagesInput): Promise<ReadMessages>;
  /** What the ledger has of work that was cancelled. */
  recorded(input: LedgerLookupInput): Promise<LedgerLookupOutput>;
  /** The children that an agent's activity has spawned since. */
  spawned(input: SpawnedInput): Promise<SpawnedOutput>;
  /** Writes down what became of a child, where its parent looks for it. */
  announce(input: AnnounceInput): Promise<void>;
  /** Makes a step's worktree on the host that takes the call, or takes one over whose host no longer answers. */
  claimWorktree(input: ClaimWorktreeInput): Promise<WorktreeLease>;
  /** Puts it back to a commit, on the host that has it; the run's ref as well. */
  restoreWorktree(input: RestoreWorktreeInput): Promise<{ worktree: WorktreeSaved }>;
  /** On the host that has it. */
  closeWorktree(input: CloseWorktreeInput): Promise<ClosedWorktree | undefined>;
  /** Records a candidate in the run's ledger, and takes a ticket of its merge queue. Asked again it is the same ticket. */
  submitCandidate(input: SubmitCandidateInput): Promise<SubmittedCandidate>;
  /** What the queue's ledger has of it. */
  candidateOutcome(input: CandidateOutcomeInput): Promise<CandidateOutcome>;
  /** Nobody waits for it any more: its ticket is dropped, and none is taken later. */
  withdrawCandidate(input: WithdrawCandidateInput): Promise<void>;
}
export type ActivityName = keyof Activities;
