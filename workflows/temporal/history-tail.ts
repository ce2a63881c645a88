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
 * Relies on what a task changes and a query does not: the size of the history, which the server states in each workflow task, and the time,
 * which is that of the task's start. Size alone does not tell: a task that the server hands out with the answer to the one before, because
 * events came meanwhile, has the size that one had, if that was not its first attempt. Left out, its events would be lost, for the task
 * would be completed without them. And a query brings events to a worker that has only replayed the run: who did the last task has the run
 * in its cache. Does nothing if a server states no size.
 *
 * @returns whether an activation should be applied. Fails with `ASK_AGAIN`.
 */
export function leavesHistoryTails(): (activation: Activation) => boolean {
  let before = { size: '0', time: '', length: 0, isReplaying: false };
  let hasTail = false;

  return ({ jobs, historySizeBytes, historyLength, isReplaying, timestamp }) => {
    const queries = jobs?.flatMap(({ queryWorkflow }) => queryWorkflow ?? []) ?? [];
    const areOfClosed = queries.map((query) => takesMark(query)).every((isMarked) => isMarked);
    const isAsked = queries.length === jobs?.length;
    if (hasTail && !(isAsked && areOfClosed)) throw new Error(ASK_AGAIN);
    if (isAsked) return true;
    const time = `${timestamp?.seconds ?? 0} ${timestamp?.nanos ?? 0}`;
    const point = { size: String(historySizeBytes ?? 0), time, length: historyLength ?? 0, isReplaying: isReplaying === true };
    const isSameTask = point.size !== '0' && point.size === before.size && point.time === before.time && before.isReplaying;
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
