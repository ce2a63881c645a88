import {
  type ActivateInput,
  CancellationScope,
  condition,
  type LocalActivityInput,
  type Next,
  type WorkflowInterceptors,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';

/**
 * Gives a run the results of its local activities where every replay gives them, however many follow each other.
 *
 * The server closes an open task when a hundred signals have come, and a worker completes one to answer a query, or if a local activity
 * takes seconds. Then the SDK gives the events of the next task to a run that has not finished with the first. If its commands came in
 * another order on replay, the run would be stuck. So such a task fails, the worker drops its copy of the run, and the task comes again
 * with every event.
 *
 * Invariants: 1. events of another task are refused while a local activity is under way that has begun live: a replay may know one task
 * only, which brings the signals of both before the first local activity begins; 2. they are refused together with a result: the task
 * before may have been completed with its marker although the run did not have it yet, and then a replay has it before the events; 3. a
 * local activity that begins in a replay holds nothing until its result: its task is completed without a marker, so in every replay
 * the events come after it has begun and no later than its result; 4. what follows a result waits for all else that its activation brings:
 * live the result comes by itself, after the events, and on replay with them.
 *
 * Local activities then begin again; none has been recorded. In an endless stream of messages their results come through only between
 * them: so no message may start a local activity of its own.
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
      replays = isReplaying === true;
      const results = (jobs ?? []).flatMap(({ resolveActivity }) => (resolveActivity?.isLocal ? [resolveActivity.seq ?? -1] : []));
      const isHeld = underWay.size > 0 || results.length > 0;
      for (const seq of results) underWay.delete(seq);
      const hasEvents = jobs?.some(({ resolveActivity, queryWorkflow }) => !resolveActivity?.isLocal && !queryWorkflow) === true;
      return replays || isSameTask || !isHeld || !hasEvents;
    },
  };
}

export const interceptors = (): WorkflowInterceptors => {
  const task = heldTask();
  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleLocalActivity(input: LocalActivityInput, next: Next<WorkflowOutboundCallsInterceptor, 'scheduleLocalActivity'>) {
      task.begins(input.seq);
      return onceQuiet(next(input));
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

/** Conditions are looked at when nothing else is left to run. */
async function onceQuiet<T>(result: Promise<T>): Promise<T> {
  let isThere = false;
  const there = (): void => {
    isThere = true;
  };
  result.then(there, there);
  await CancellationScope.nonCancellable(() => condition(() => isThere));
  return result;
}

const OPEN_TASK = 'local activities of the task before were still at work: the task comes again';

type Activation = Pick<ActivateInput['activation'], 'jobs' | 'isReplaying' | 'historyLength'>;
