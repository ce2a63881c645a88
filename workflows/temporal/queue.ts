import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineUpdate,
  makeContinueAsNewFunc,
  patched,
  setDefaultSignalHandler,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { QueueView } from '../../plan/queue/queue-view';
import { QUEUE_ORDERS, QUEUE_SUBMIT, QUEUE_VIEW, type Ticket } from '../../plan/queue/ticket';
import { isJsonObject } from '../../plan/text/json';
import { mergeQueue } from '../queue/queue';
import { type QueueAnswer, type QueueContext, type QueueInbound, type QueueInput, QueueRefusal } from '../queue/queue-context';
import { isUnproven, schedule, translated } from './activity-calls';
import { handleFloodedSignals } from './signal-flood-interceptor';

/**
 * The workflow of one merge queue. Cancelling it changes nothing: it is nobody's run, and what waits in it belongs to others. `thermidor queue pause`
 * stops it.
 */
export async function temporalQueue(input?: unknown): Promise<never> {
  const shelter = new CancellationScope({ cancellable: false });
  return await shelter.run(() => mergeQueue(queueContext(shelter), readInput(input)));
}

/** Written by the execution before; a first one has none, whatever it is started with. */
function readInput(input: unknown): QueueInput {
  return workflowInfo().continuedFromExecutionRunId !== undefined && isQueueInput(input) ? input : {};
}

function isQueueInput(input: unknown): input is QueueInput {
  return isJsonObject(input) && isJsonObject(input['state']);
}

function queueContext(shelter: CancellationScope): QueueContext {
  return {
    run: workflowInfo().firstExecutionRunId,
    now: () => Date.now(),
    patched,
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
    continueAsNew: (next) => makeContinueAsNewFunc<typeof temporalQueue>()(next),
  };
}

function listen(inbound: QueueInbound): void {
  setHandler(defineUpdate<Ticket, [unknown]>(QUEUE_SUBMIT), (payload) => inbound.submit(payload), {
    validator: (payload: unknown) => refusing(() => inbound.checkSubmit(payload)),
  });
  for (const order of QUEUE_ORDERS) {
    setHandler(defineUpdate<void, [unknown]>(order), (payload) => inbound.order(order, payload), {
      validator: (payload: unknown) => refusing(() => inbound.checkOrder(order, payload)),
    });
  }
  setHandler(defineQuery<QueueView>(QUEUE_VIEW), () => inbound.view());
  // Nothing is decided by signals: anybody may send one.
  setDefaultSignalHandler(() => undefined);
  handleFloodedSignals(() => undefined);
}

function refusing(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof QueueRefusal ? ApplicationFailure.nonRetryable(error.message, 'queue.refused') : error;
  }
}
