import {
  ApplicationFailure,
  type CancellationScope,
  defineUpdate,
  setDefaultQueryHandler,
  setDefaultSignalHandler,
  setDefaultUpdateHandler,
  setHandler,
} from '@temporalio/workflow';
import { SIGNALS, type SignalReceipt } from '../../plan/run/signal';
import { type Inbound, UpdateRefused } from '../run-context';
import { cancelReason } from './cancel-reason';
import { handleFloodedSignals } from './signal-flood-interceptor';

/**
 * Connects Temporal's signals, updates, queries and cancellation to the interpreter. Updates of known names have validators,
 * so that a refused one leaves no trace in history; signals go through one handler, so that they keep their order.
 */
export function registerHandlers(root: CancellationScope, inbound: Inbound): void {
  for (const name of SIGNALS) {
    setHandler(defineUpdate<SignalReceipt, [unknown]>(name), (payload) => refusing(() => inbound.update(name, payload)), {
      validator: (payload: unknown) => refusingNow(() => inbound.checkUpdate(name, payload)),
    });
  }
  setDefaultUpdateHandler((name, payload) => refusing(() => inbound.update(name, payload)));
  setDefaultQueryHandler((name, argument) => inbound.query(name, argument));
  setDefaultSignalHandler((name, payload) => inbound.signal(name, payload));
  handleFloodedSignals((name, payload) => inbound.signal(name, payload));
  root.cancelRequested.catch(() => inbound.cancel(cancelReason()));
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusal(error);
  }
}

function refusingNow(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw refusal(error);
  }
}

/** `signal.<outcome>`, with the open gates as its detail. */
function refusal(error: unknown): unknown {
  if (!(error instanceof UpdateRefused)) return error;
  return ApplicationFailure.nonRetryable(error.message, `signal.${error.outcome}`, { gates: error.gates });
}
