import type { GateView } from '../plan/people/gate';
import type { Activities, ActivityName } from '../plan/run/contract';
import type { RunInput } from '../plan/run/run-input';
import type { RunMemo } from '../plan/run/run-memo';
import type { SearchAttributeName } from '../plan/run/search-attributes';
import type { SignalReceipt } from '../plan/run/signal';
import type { StepEnd } from '../plan/run/step-state';
import type { StepKind } from '../plan/steps/step';

/**
 * Everything that the interpreter knows of the world. Bound to Temporal it is durable (`temporal/run-context.ts`); bound to memory it is
 * the test bench (`memory/run-context.ts`).
 *
 * Invariants: 1. everything here is deterministic under replay; 2. cancelling a run cancels nothing by itself: the interpreter is notified
 * and cancels what it wants to; 3. rejections are `ThermidorFailure` or `Cancelled`, of an activity with `scheduleToStartMs` also
 * `NotStarted`, nothing else.
 */
export interface RunContext {
  readonly info: RunInfo;
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 up to, but not including, 1. */
  random(): number;
  activity<N extends ActivityName>(name: N, input: ActivityArgument<N>, options: ActivityOptions): Promise<ActivityResult<N>>;
  /**
   * Cancels all activities in progress that are not `kept`, or those of places `within` one path or several; settles when each has
   * acknowledged it; `itself`: and those of the places at the paths. Activities that start later are not touched.
   */
  cancelActivities(within?: string | readonly string[], itself?: 'itself'): Promise<void>;
  /**
   * Starts a child pipeline. Settles when it has started; `closed` settles when its workflow has closed in any way, as long as this
   * execution lasts. Fails with `child.failed` if another workflow has that id.
   */
  startChild(child: ChildStart): Promise<StartedChild>;
  /** Fails with `child.lost` if no such workflow is running. */
  signal(workflowId: string, name: string, payload: object): Promise<void>;
  /** Asks a child to end, and says why; it says when it has. */
  cancelChild(workflowId: string, reason: string | undefined): void;
  timer(ms: number): Cancellable<void>;
  /** Must be called before the first await; messages that came earlier are delivered at once, in order. */
  listen(inbound: Inbound): void;
  publish(what: Publication): void;
  /** Counts a step that has ended, for monitoring; nothing of it is in history. */
  stepEnded?(kind: StepKind, end: StepEnd): void;
  /**
   * How full history is: from 1 on the run should continue in a fresh execution soon, and each time that as much has come again it is one
   * more.
   */
  historyFill(): number;
  /** Ends this execution; the next begins with `input`, and with the memo of this one and `memo`. */
  continueAsNew(input: RunInput, memo: Pick<RunMemo, 'startedAt'>): Promise<never>;
  /** Settles when no update is being answered. */
  handlersFinished(): Promise<void>;
}

export interface RunInfo {
  workflowId: string;
  runId: string;
  /** Id of the run's first execution. */
  firstRunId: string;
  workflowType: string;
  /**
   * When the run started, in milliseconds since the epoch: for the first execution its own start, for a later one the value passed on by
   * the earlier execution.
   */
  startedAtMs: number;
  namespace: string;
  /** The schedule that started it, as the search attribute says. Anybody who starts a run may set that. */
  scheduledBy?: string;
  /** When a schedule had it start, ISO 8601. Anybody who starts a run may set that, too. */
  scheduledAt?: string;
  /** Search attributes that the starter of the run set already. */
  searchAttributes: readonly string[];
  /** The keys of the memo that were set before the execution began. Absent in one that continues from a state. */
  memo?: readonly string[];
}

export interface ChildStart {
  workflowId: string;
  workflowType: string;
  input: RunInput;
  /** A run of its own, whose gates are its own matter. */
  independent?: true;
}

export interface StartedChild {
  /** Id of its first execution. */
  run: string;
  closed: Promise<void>;
}

export interface Cancellable<T> {
  readonly promise: Promise<T>;
  cancel(): void;
}

export type ActivityArgument<N extends ActivityName> = Parameters<Activities[N]>[0];
export type ActivityResult<N extends ActivityName> = Awaited<ReturnType<Activities[N]>>;

export interface ActivityOptions {
  /** The activity's id; unique among what is pending. Local activities have none. */
  address?: string;
  local?: boolean;
  /** The limit of one attempt. */
  startToCloseMs: number;
  /** The limit of all attempts together. Absent: none. */
  scheduleToCloseMs?: number;
  heartbeatMs?: number;
  /** One line for the Temporal UI. */
  summary?: string;
  /** The place that it belongs to, by which it can be cancelled without the whole run. */
  within?: string;
  /** A capability that its worker must have. Absent: any worker. */
  queue?: string;
  /** The host in whose own queue it waits, whatever `queue` says. */
  host?: string;
  /** How long it may wait for a worker; then it fails with `NotStarted`. @default without end */
  scheduleToStartMs?: number;
  /** 1 is first. @default 3 */
  priority?: 1 | 2 | 3 | 4 | 5;
  /** Not cancelled with the others: what an ending run still has to report. */
  kept?: true;
}

export interface Publication {
  /** Markdown, shown as the run's current details. Rendered when someone asks, as the run is then: it changes nothing. */
  details?: () => string;
  memo?: RunMemo;
  searchAttributes?: Partial<Record<SearchAttributeName, string>>;
}

/** Messages from outside. */
export interface Inbound {
  signal(name: string, payload: unknown): void;
  /** Throws `ThermidorFailure`-like refusals synchronously; changes nothing. */
  checkUpdate(name: string, payload: unknown): void;
  update(name: string, payload: unknown): Promise<SignalReceipt>;
  query(name: string, argument: unknown): unknown;
  cancel(reason?: string): void;
}

/** Rejects cancelled work: the run's, or something that the run itself cancelled. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
  constructor() {
    super('cancelled');
  }
}

/** Rejects an activity that no worker took up in time. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
  constructor() {
    super('no worker of its host took it up in time');
  }
}

/** An update that would have changed nothing; `outcome` says why, `gates` what could be answered instead. */
export class UpdateRefused extends Error {
  override readonly name = 'UpdateRefused';
  constructor(
    readonly outcome: string,
    message: string,
    readonly gates: readonly GateView[],
  ) {
    super(message);
  }
}
