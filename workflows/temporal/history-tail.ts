import type { ActivateInput, WorkflowInterceptors } from '@temporalio/workflow';
import { ASK_AGAIN } from '../../plan/run/contract';

/**
 * Refuses events that a query alone has brought. A worker that answers a query about a run it does not have in its cache may be sent
 * events that no workflow task has brought yet. The SDK applies them, goes on with what they lead to, and applies the rest with the next
 * task. A replay applies all of them with that task, signals first: its commands come in another order, and the run is stuck once its
 * worker is gone. Where this fails, the query fails, the worker drops what it has of the run, and the next task brings every event.
 *
 * Relies on the size of the history, which the server states in each workflow task and which every event makes larger: events that
 * come without a change of size come without a task. Does nothing where a server states no size.
 */
export function refusesHistoryTails(): (activation: Activation) => void {
  let before = { size: '0', length: 0 };

  return ({ jobs, historySizeBytes, historyLength, isReplaying }) => {
    if (jobs?.every((job) => job.queryWorkflow)) return;
    const point = { size: String(historySizeBytes ?? 0), length: historyLength ?? 0 };
    const isSameTask = point.size !== '0' && point.size === before.size;
    const hasMoreEvents = point.length > before.length;
    before = point;
    if (!isReplaying && isSameTask && hasMoreEvents && !jobs?.every(({ resolveActivity }) => resolveActivity?.isLocal))
      throw new Error(ASK_AGAIN);
  };
}

export const interceptors = (): WorkflowInterceptors => {
  const refuse = refusesHistoryTails();
  return {
    internals: [
      {
        activate(input, next) {
          refuse(input.activation);
          next(input);
        },
      },
    ],
  };
};

type Activation = ActivateInput['activation'];
