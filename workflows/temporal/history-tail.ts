import type { ActivateInput, WorkflowInterceptors } from '@temporalio/workflow';
import { ASK_AGAIN, OF_CLOSED_RUN } from '../../plan/run/contract';

/**
 * Leaves out events that only a query has brought. A worker that answers a query about a run outside its cache may be sent events that no
 * workflow task has brought yet. The SDK applies them, continues with their effects, and applies the rest with the next task. A replay
 * applies all of them with that task, signals first: its commands come in another order, and the run is stuck once its worker is gone. So
 * the query fails, the worker drops its copy of the run, and the next task brings every event.
 *
 * A closed run has no next task. If the query says so, it is answered from what the run had decided.
 *
 * Relies on the size of the history, which the server states in each workflow task and which every event increases: events without a change
 * of size come without a task. Does nothing if a server states no size.
 *
 * @returns whether an activation should be applied. Fails with `ASK_AGAIN`.
 */
export function leavesHistoryTails(): (activation: Activation) => boolean {
  let before = { size: '0', length: 0 };
  let hasTail = false;

  return ({ jobs, historySizeBytes, historyLength, isReplaying }) => {
    const queries = jobs?.flatMap(({ queryWorkflow }) => queryWorkflow ?? []) ?? [];
    const areOfClosed = queries.map((query) => takesMark(query)).every((isMarked) => isMarked);
    const isAsked = queries.length === jobs?.length;
    if (hasTail && !(isAsked && areOfClosed)) throw new Error(ASK_AGAIN);
    if (isAsked) return true;
    const point = { size: String(historySizeBytes ?? 0), length: historyLength ?? 0 };
    const isSameTask = point.size !== '0' && point.size === before.size;
    const hasMoreEvents = point.length > before.length;
    before = point;
    hasTail = !isReplaying && isSameTask && hasMoreEvents && !jobs?.every(({ resolveActivity }) => resolveActivity?.isLocal);
    return !hasTail;
  };
}

function takesMark(query: { queryType?: string | null }): boolean {
  if (!query.queryType?.startsWith(OF_CLOSED_RUN)) return false;
  query.queryType = query.queryType.slice(OF_CLOSED_RUN.length);
  return true;
}

export const interceptors = (): WorkflowInterceptors => {
  const isApplied = leavesHistoryTails();
  return {
    internals: [
      {
        activate(input, next) {
          if (isApplied(input.activation)) next(input);
        },
      },
    ],
  };
};

type Activation = ActivateInput['activation'];
