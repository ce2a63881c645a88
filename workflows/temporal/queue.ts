import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineUpdate,
  makeContinueAsNewFunc,
  setDefaultSignalHandler,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { defined } from '../../plan/defined';
import type { QueueView } from '../../plan/queue/queue-view';
import { QUEUE_ORDERS, QUEUE_SUBMIT, QUEUE_VIEW, type Ticket } from '../../plan/queue/ticket';
import { readControlRef } from '../../plan/run/artifact';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import { isJsonObject, type Json } from '../../plan/text/json';
import { loadState, type StateContext } from '../interpreter/state/load';
import { mergeQueue } from '../queue/queue';
import { type QueueAnswer, type QueueContext, type QueueInbound, type QueueInput, QueueRefusal } from '../queue/queue-context';
import type { QueueState } from '../queue/queue-state';
import { call, callLocal, isUnproven, schedule, translated } from './activity-calls';
import { handleFloodedSignals } from './signal-flood-interceptor';

/**
 * The workflow of one merge queue. Cancelling it changes nothing: it is nobody's run, and its tickets belong to others. `thermidor queue
 * pause` stops it.
 */
export async function temporalQueue(input?: unknown): Promise<never> {
  const shelter = new CancellationScope({ cancellable: false });
  try {
    return await shelter.run(() => mergeQueue(queueContext(shelter), readInput(input)));
  } catch (error) {
    // A state that is not its own. Other failures can be fixed: in a worker, or the store.
    if (error instanceof ThermidorFailure && error.code === 'input.invalid')
      throw ApplicationFailure.nonRetryable(error.message, error.code);
    throw error;
  }
}

/** A state is believed if this queue's own ledger lists it: cron, a retry policy and a reset pass on what the starter has typed. */
function readInput(input: unknown): QueueInput {
  if (!isJsonObject(input)) return {};
  const state = readControlRef(input['state'], 'snapshot');
  const { version } = input;
  return defined({ state, version: typeof version === 'number' ? version : undefined });
}

const SAVE_MS = 60_000;

function queueContext(shelter: CancellationScope): QueueContext {
  const stored: StateContext = {
    info: { firstRunId: workflowInfo().firstExecutionRunId },
    activity: (name, input, options) =>
      shelter
        .run(() => (options.local ? callLocal(name, input, options) : call(name, input, options)))
        .catch((error: unknown) => {
          throw translated(error);
        }),
  };
  return {
    run: workflowInfo().firstExecutionRunId,
    now: () => Date.now(),
    activity(name, activityInput, options) {
      const scope = new CancellationScope({ cancellable: true, parent: shelter });
      const begin = () => scope.run(() => schedule<QueueAnswer<typeof name>>(name, activityInput, options));
      const failed = (error: unknown): never => {
        throw translated(error);
      };
      const promise = begin().catch((error: unknown) => (isUnproven(error) ? begin().catch(failed) : failed(error)));
      return { promise, cancel: () => scope.cancel() };
    },
    sleep,
    listen,
    until: condition,
    historyIsFull: () => workflowInfo().continueAsNewSuggested,
    handlersFinished: () => condition(allHandlersFinished),
    saveState: (state) => stored.activity('saveState', { run: stored.info.firstRunId, state }, { local: true, startToCloseMs: SAVE_MS }),
    loadState: async (ref) => asQueueState(await loadState(stored, ref)),
    continueAsNew: (next) => makeContinueAsNewFunc<typeof temporalQueue>()(next),
  };
}

function asQueueState(stored: Json): QueueState {
  if (isJsonObject(stored) && Array.isArray(stored['tickets'])) return stored as object as QueueState;
  throw bug('the stored state of the queue is invalid');
}

function listen(inbound: QueueInbound): void {
  setHandler(defineUpdate<Ticket, [unknown]>(QUEUE_SUBMIT), (payload) => refusingLate(inbound.submit(payload)), {
    validator: (payload: unknown) => refusing(() => inbound.checkSubmit(payload)),
  });
  for (const order of QUEUE_ORDERS) {
    setHandler(defineUpdate<void, [unknown]>(order), (payload) => refusingLate(inbound.order(order, payload)), {
      validator: (payload: unknown) => refusing(() => inbound.checkOrder(order, payload)),
    });
  }
  setHandler(defineQuery<QueueView>(QUEUE_VIEW), () => inbound.view());
  // Signals decide nothing: anybody may send one.
  setDefaultSignalHandler(() => undefined);
  handleFloodedSignals(() => undefined);
}

function refusing(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw refusal(error);
  }
}

/** A message that had to wait for the queue's state is refused once that is loaded. */
function refusingLate<T>(answer: T | Promise<T>): T | Promise<T> {
  return answer instanceof Promise
    ? answer.catch((error: unknown) => {
        throw refusal(error);
      })
    : answer;
}

function refusal(error: unknown): unknown {
  return error instanceof QueueRefusal ? ApplicationFailure.nonRetryable(error.message, 'queue.refused') : error;
}
