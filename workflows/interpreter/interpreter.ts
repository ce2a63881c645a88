import type { KindsWith } from '../../kinds/traits';
import type { DecisionAnswer, DecisionRequest } from '../../plan/agents/decision';
import type { BoardDetails } from '../../plan/board/board-details';
import type { Exchange } from '../../plan/board/exchange';
import type { BoardAnswer } from '../../plan/board/request';
import type { AskedBy } from '../../plan/queue/ticket';
import type { SignalName, SignalPayload } from '../../plan/run/signal';
import type { ControlStep } from '../../plan/steps/control';
import type { StepKind } from '../../plan/steps/step';
import type { CancelledWorkLookup } from './cancellation/cancelled-work';
import type { ParentMessages } from './containers/parent-run';
import type { FailureRecord, WorkEnd } from './context/attempt-log';
import type { StepContext } from './context/step-context';
import type { PlannedCommand } from './inbound/planned-command';
import type { Run } from './run';
import type { Frame, Place, PlaceOf } from './scheduling/place';
import type { Scheduler, SchedulerPort } from './scheduling/scheduler';
import type { Slots } from './scheduling/slots';
import type { StepRecord } from './state/step-record';
import type { StepResult } from './steps/step-result';
import type { WorktreeTurns } from './worktrees/worktree-turns';

/** The shared state of the interpreter's parts: the run, the blocks in progress, and the notification of changes. */
export interface Interpreter {
  readonly run: Run;
  readonly slots: Slots;
  readonly worktrees: WorktreeTurns;
  readonly parent: ParentMessages;
  readonly cancelledWork: CancelledWorkLookup;
  /** The blocks in progress, outer before inner. */
  readonly frames: Map<Frame, OpenFrame>;
  scheduler(place: Place): Scheduler;
  readonly kinds: KindCode;
  readonly startStep: SchedulerPort['startStep'];
  readonly takeUpStep: SchedulerPort['takeUpStep'];
  /** Starts everything that may start now, in any block. */
  pump(): void;
  /** A place gives its slot to others while it waits for a person or a moment. */
  rest(place: Place): void;
  /** It continues. */
  resume(place: Place): void;
  /** Called after a visible change; `gates` if lists and the inbox show it. */
  changed(what?: 'gates'): void;
}

export interface OpenFrame {
  scheduler: Scheduler;
  owner: FrameOwner;
}

/** How a container, or the run, reacts to events in its block. */
export interface FrameOwner extends Pick<SchedulerPort, 'limit' | 'settled' | 'done'> {
  /** A step failed and nothing says that the block continues. Its record says `failed` already. */
  stopped(place: Place, failure: FailureRecord): void;
}

/** Does a step's work. Undefined: it is done; fails with the work's failure. */
export type Work = (it: Interpreter, place: Place, record: StepRecord, ctx: StepContext) => Promise<WorkEnd | undefined>;

/** `Work` for one kind of step. */
export type Perform<K extends StepKind> = (it: Interpreter, place: PlaceOf<K>, record: StepRecord, ctx: StepContext) => ReturnType<Work>;

export type KindCommand = Extract<SignalName, 'task' | 'spawn' | 'drain' | 'message'>;

/**
 * What kinds do. The interpreter does not import it: kinds import the interpreter, and who has a run executed hands it over
 * (`workflows/kinds.ts`).
 */
export interface KindCode {
  /** The work of each kind of step. */
  work: Work;
  /** What follows from what a step that judges has said. */
  afterVerdict(it: Interpreter, place: PlaceOf<KindsWith<{ judges: true }>>, record: StepRecord, ctx: StepContext): Promise<StepResult>;
  /** A person's answer is there, and the step is about to end by it, although its code may not have come to that yet. */
  isAnswered(step: ControlStep, record: StepRecord): boolean;
  /**
   * Decides what a call of a tool of the agent at `place` asks: in one synchronous step, and the same if it is asked again. Undefined: the
   * answer comes later, and `wakeForDecision` is called then.
   */
  decide(it: Interpreter, place: Place, ask: DecisionRequest): BoardAnswer | undefined;
  /**
   * Takes up what the member at `place` has sent, read and asked; another try may bring a message or a request again, with the same id.
   * Returns what it has decided.
   */
  exchanged(it: Interpreter, place: Place, exchanges: readonly Exchange[]): DecisionAnswer[];
  /** Plans what somebody has sent to steps of a kind that takes orders of its own. Undefined: it is for none of them. */
  command(it: Interpreter, name: KindCommand, payload: SignalPayload): PlannedCommand | undefined;
  /** The boards of the run, for the query `boards`, with the messages of the member `inbox`. */
  boards(it: Interpreter, inbox: string | undefined): BoardDetails[];
  /** Another run may have a task in its ledger for a team that works here. */
  asked(it: Interpreter, asked: AskedBy): void;
}
