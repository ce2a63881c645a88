import type { AnnounceInput, SpawnedInput, SpawnedOutput } from '../agents/spawned-agent';
import type {
  AskTaskInput,
  ReadAskedTask,
  ReadAskedTasksInput,
  SettleAskedTasksInput,
  TaskAnswer,
  TaskAnswerInput,
  WithdrawTaskInput,
} from '../board/asked-task';
import type { BoardWorkInput, BoardWorkOutput, KeepTextsInput, KeptText, OpenedBoard } from '../board/board-activities';
import type { ExchangedInput, ExchangedOutput, PostInput } from '../board/exchange';
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
import type { ClosedWorktree, WorktreeLease, WorktreeSaved } from './worktree';
import type { ClaimWorktreeInput, CloseWorktreeInput, RestoreWorktreeInput } from './worktree-activities';

/**
 * The contract between workflows, activities and clients: names, inputs, results. Inputs are kept small, because they fill workflow
 * history: run and step are in the activity's own info, the plan is found by the run's ledger.
 */

export const TASK_QUEUE = 'thermidor';

/** The failure of a query whose answer would have changed the run. */
export const ASK_AGAIN = 'the worker does not have the last events of this run yet; ask again';

/** The prefix of a query to a closed run, which no answer changes. */
export const OF_CLOSED_RUN = 'closed:';

/** The queue on which activities of steps with `queue: capability` wait for a worker that has it. */
export function capabilityQueue(taskQueue: string, capability: string): string {
  return `${taskQueue}:${capability}`;
}

/**
 * Activities by name. `openRun`, `loadPlan`, `journal`, `saveState`, `loadState`, `say`, `hear`, `recorded`, `emitted` and `checkProofs`
 * run as local activities, and further parts of packed results as regular ones: the server takes no more than 4 MiB of one task.
 */
export interface Activities {
  /** Loads and compiles the pipeline (or fetches its frozen plan), checks args, and records the result: the run is frozen from here on. */
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
  /** Evaluates the list of a `for_each` and stores it. */
  items(input: StepInput): Promise<ItemsOutput>;
  /** Reads the values of some items that control needs. */
  itemValues(input: ItemValuesInput): Promise<ItemValuesOutput>;
  /** Reads what a producer has emitted since the run last looked. */
  emitted(input: EmittedInput): Promise<EmittedOutput>;
  /** Records items that people have sent to the run: the first ones, as many as there is time for. */
  emitItems(input: EmitItemsInput): Promise<EmitItemOutput[]>;
  /** Makes the output of a step that did not produce one itself: for a container from its inner steps, for a gate from its answer. */
  compose(input: ComposeInput): Promise<StepOutput>;
  /** Lets a rule of a collaboration pattern decide over documents in the store, and stores the result. */
  applyRule(input: ApplyRuleInput): Promise<ApplyRuleOutput>;
  /** The tasks and members of a board as it begins, their texts in the store. */
  openBoard(input: StepInput): Promise<OpenedBoard>;
  /** Stores what a member's work begins with. */
  boardWork(input: BoardWorkInput): Promise<BoardWorkOutput>;
  /** Stores long texts that somebody has sent to a board: the first ones, as many as there is time for. */
  keepTexts(input: KeepTextsInput): Promise<KeptText[]>;
  /** Reads a run's journal, and stores its findings. */
  mineJournal(input: MineJournalInput): Promise<MinedJournal>;
  /** Writes the lessons of a post-mortem into the files that its step names. It does not fail if a file cannot be written. */
  keepLessons(input: KeepLessonsInput): Promise<KeptLessons>;
  /** Renders and checks the args of a child pipeline, and records in the ledger what the child should do. */
  childInput(input: ChildStepInput): Promise<ChildInput>;
  /** Checks answers to input gates: the first ones, as many as there is time for. */
  checkResponses(input: ResponsesInput): Promise<ResponseCheck[]>;
  /** Renders what a gate shows. */
  gate(input: GateInput): Promise<RenderedGate>;
  notify(input: NotifyInput): Promise<NotifyOutput>;
  /** Checks the seals of decisions. */
  checkProofs(input: ProofsInput): Promise<ProofCheck[]>;
  /**
   * Stores a page, and with the last one the record of the ended run. Returns nothing for the last page: the run has it, and each byte of a
   * result is in its history.
   */
  journal(input: JournalInput): Promise<ArtifactRef | null>;
  saveState(input: SaveStateInput): Promise<ControlRef<'snapshot'>>;
  /** Loads a state as JSON; packed if it is large. */
  loadState(input: LoadStateInput): Promise<Json | PackedPart>;
  /** Records this run's messages to another run, which reads them once it is woken. */
  say(input: SendMessagesInput): Promise<void>;
  /** Reads another run's messages to this one since the last look. */
  hear(input: ReadMessagesInput): Promise<ReadMessages>;
  /** Looks up cancelled work in the ledger. */
  recorded(input: LedgerLookupInput): Promise<LedgerLookupOutput>;
  /** The children that an agent's activity has spawned since the last look. */
  spawned(input: SpawnedInput): Promise<SpawnedOutput>;
  /** Records the end of a child where its parent looks for it. */
  announce(input: AnnounceInput): Promise<void>;
  /** What a member of a board has sent and read since the last look. */
  exchanged(input: ExchangedInput): Promise<ExchangedOutput>;
  /** Puts messages where a member looks for them while it works. */
  post(input: PostInput): Promise<void>;
  /** Makes a step's worktree on the host that takes the call, or takes over one whose host no longer answers. */
  claimWorktree(input: ClaimWorktreeInput): Promise<WorktreeLease>;
  /** Resets a worktree and the run's ref to a commit, on the host that has it. */
  restoreWorktree(input: RestoreWorktreeInput): Promise<{ worktree: WorktreeSaved }>;
  /** Closes a worktree on the host that has it. */
  closeWorktree(input: CloseWorktreeInput): Promise<ClosedWorktree | undefined>;
  /** Records a candidate in the run's ledger, and takes a ticket of its merge queue. Asked again it is the same ticket. */
  submitCandidate(input: SubmitCandidateInput): Promise<SubmittedCandidate>;
  /** Looks up a candidate's outcome in the queue's ledger. */
  candidateOutcome(input: CandidateOutcomeInput): Promise<CandidateOutcome>;
  /** Withdraws a candidate that nobody waits for any more: its ticket is dropped, and no later one is taken. */
  withdrawCandidate(input: WithdrawCandidateInput): Promise<void>;
  /** Records a task in the run's ledger, and tells its team. Asked again it is the same task. */
  askTask(input: AskTaskInput): Promise<TaskAnswer>;
  /** Looks up what has come of a task in the run's ledger. */
  taskAnswer(input: TaskAnswerInput): Promise<TaskAnswer>;
  /** Withdraws a task that nobody waits for any more. */
  withdrawTask(input: WithdrawTaskInput): Promise<void>;
  /** Reads tasks in the ledgers of those who ask a team. */
  readAskedTasks(input: ReadAskedTasksInput): Promise<ReadAskedTask[]>;
  /** Records in the ledgers of those who ask what has come of their tasks, and wakes them. */
  settleAskedTasks(input: SettleAskedTasksInput): Promise<void>;
}
export type ActivityName = keyof Activities;
