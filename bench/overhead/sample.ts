import type { Client, WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import type { OverheadCase } from './cases';
import { historyOnServer } from './history';
import type { WorkerHandle } from './worker-handle';

/** One measurement of one case on one side. Events and bytes are totals of all its runs. */
export interface Sample {
  /** From the first start to the last result. */
  wallMs: number;
  /** CPU time of the worker process, within that time. */
  cpuMs: number;
  executions: number;
  events: number;
  bytes: number;
}

/** One of the two compared sides: how it is started, and which worker it has. */
export interface Side {
  name: 'ours' | 'reference';
  taskQueue: string;
  worker: WorkerHandle;
  workflowType(wanted: OverheadCase): string;
  input(wanted: OverheadCase): object;
}

/** A run that is stuck fails in the end, so that the bench does too. */
const STUCK = '15m';
const LOOK_TOGETHER = 10;

/** @param tag makes the workflow ids unique in the server */
export async function takeSample(client: Client, side: Side, wanted: OverheadCase, tag: string): Promise<Sample> {
  const start = (n: number): Promise<WorkflowHandleWithFirstExecutionRunId> =>
    client.workflow.start(side.workflowType(wanted), {
      workflowId: `${side.name}-${wanted.name}-${tag}-${n}`,
      taskQueue: side.taskQueue,
      args: [side.input(wanted)],
      workflowExecutionTimeout: STUCK,
    });
  const cpuBeforeMs = await side.worker.cpuMs();
  const begunMs = performance.now();
  const runs = await Promise.all(Array.from({ length: wanted.runs }, (_, n) => start(n)));
  await Promise.race([Promise.all(runs.map((run) => run.result())), side.worker.lost]);
  const wallMs = performance.now() - begunMs;
  const cpuMs = (await side.worker.cpuMs()) - cpuBeforeMs;
  const sample: Sample = { wallMs, cpuMs, executions: 0, events: 0, bytes: 0 };
  for (let i = 0; i < runs.length; i += LOOK_TOGETHER) {
    const some = runs.slice(i, i + LOOK_TOGETHER);
    for (const size of await Promise.all(some.map((run) => historyOnServer(client, run.workflowId, run.firstExecutionRunId)))) {
      sample.executions += size.executions;
      sample.events += size.events;
      sample.bytes += size.bytes;
    }
  }
  return sample;
}
