import type { ActivateInput, LocalActivityInput, Next, WorkflowInterceptors, WorkflowOutboundCallsInterceptor } from '@temporalio/workflow';

/**
 * Refuses another workflow task while local activities still hold one open. A server closes an open task when a hundred signals have come,
 * and a worker lets one continue in the next if a local activity takes seconds: either way the SDK gives the events of the next task to a
 * run that has not finished with the first. A replay knows one task only, which brings the signals of both before the first local activity
 * begins: its commands come in another order, and the run is stuck. So that task fails, the worker drops its copy of the run, and the task
 * comes again with every event.
 *
 * Local activities then begin again; none has been recorded. In an endless stream of messages their results come through only between them:
 * so no message may start a local activity of its own.
 *
 * A local activity that begins in a replay holds nothing. Its task is over: the server has it as completed, because a query was answered
 * in it. The next task is a later one for every replay, so its events come in the same order.
 *
 * What comes with a history of the same length is of the task that is open: the worker itself resolves an activity that a run cancels
 * in the step in which it schedules it. Every replay does the same, so refusing that would refuse it for ever.
 */
export function heldTask(): { begins: (seq: number) => void; takes: (activation: Activation) => boolean } {
  const underWay = new Set<number>();
  let replays = false;
  let length = 0;
  return {
    begins: (seq) => void (replays || underWay.add(seq)),
    takes({ jobs, isReplaying, historyLength }) {
      const isSameTask = (historyLength ?? 0) > 0 && historyLength === length;
      length = historyLength ?? 0;
      const isHeld = underWay.size > 0 && !isSameTask;
      replays = isReplaying === true;
      for (const { resolveActivity } of jobs ?? []) if (resolveActivity?.isLocal) underWay.delete(resolveActivity.seq ?? -1);
      return !isHeld || replays || jobs?.every(({ resolveActivity, queryWorkflow }) => resolveActivity?.isLocal || queryWorkflow) === true;
    },
  };
}

export const interceptors = (): WorkflowInterceptors => {
  const task = heldTask();
  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleLocalActivity(input: LocalActivityInput, next: Next<WorkflowOutboundCallsInterceptor, 'scheduleLocalActivity'>) {
      task.begins(input.seq);
      return next(input);
    },
  };
  return {
    outbound: [outbound],
    internals: [
      {
        activate(input, next) {
          if (!task.takes(input.activation)) throw new Error(OPEN_TASK);
          next(input);
        },
      },
    ],
  };
};

const OPEN_TASK = 'local activities of the task before were still at work: the task comes again';

type Activation = Pick<ActivateInput['activation'], 'jobs' | 'isReplaying' | 'historyLength'>;
