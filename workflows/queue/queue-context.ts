import type { QueueActivities, QueueActivityName } from '../../plan/queue/queue-activities';
import type { QueueView } from '../../plan/queue/queue-view';
import type { QueueOrder, Ticket } from '../../plan/queue/ticket';
import type { ControlRef } from '../../plan/run/artifact';
import type { ActivityOptions, Cancellable } from '../run-context';
import type { QueueState } from './queue-state';

/**
 * Everything that a queue knows of the world; deterministic like `RunContext`, and with the same failures: a `ThermidorFailure`,
 * `Cancelled` or a bug.
 */
export interface QueueContext {
  /** Id of the queue's first execution. */
  readonly run: string;
  now(): number;
  activity<N extends QueueActivityName>(name: N, input: QueueArgument<N>, options: ActivityOptions): Cancellable<QueueAnswer<N>>;
  sleep(ms: number): Promise<void>;
  /** Must be called before the first await. */
  listen(inbound: QueueInbound): void;
  /** Settles once `isSo()` holds, which is asked again after everything that happens. */
  until(isSo: () => boolean): Promise<void>;
  historyIsFull(): boolean;
  /** Settles when no update is being answered. */
  handlersFinished(): Promise<void>;
  /** Stores the state, as this queue's own. */
  saveState(state: QueueState): Promise<ControlRef<'snapshot'>>;
  /** Fails with `input.invalid` if this queue has not stored it. */
  loadState(ref: ControlRef<'snapshot'>): Promise<QueueState>;
  continueAsNew(input: QueueInput): Promise<never>;
}

export type QueueArgument<N extends QueueActivityName> = Parameters<QueueActivities[N]>[0];
export type QueueAnswer<N extends QueueActivityName> = Awaited<ReturnType<QueueActivities[N]>>;

/** Set by continue-as-new only; but anybody may have typed it. */
export interface QueueInput {
  /** Believed as far as the queue's own ledger lists it. */
  state?: ControlRef<'snapshot'>;
  /** `QUEUE_VERSION` of the program that has started the execution. A newer one's queue is left to it. */
  version?: number;
}

/** Messages from outside. Refusals are thrown, and change nothing. */
export interface QueueInbound {
  checkSubmit(payload: unknown): void;
  submit(payload: unknown): Ticket | Promise<Ticket>;
  checkOrder(order: QueueOrder, payload: unknown): void;
  order(order: QueueOrder, payload: unknown): void | Promise<void>;
  view(): QueueView;
}

/** An update that would change nothing. */
export class QueueRefusal extends Error {
  override readonly name = 'QueueRefusal';
}
