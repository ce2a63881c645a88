import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection, type WorkflowClient } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { inSweep } from '../support/sweep';
import { Scratch, SET_UP_MS } from './support/scratch';
import { takeNamespace } from './support/shared-server';

const ROOT = resolve(__dirname, '../..');
const INTERCEPTORS = ['held-task', 'held-commands'].map((name) => join(ROOT, `workflows/temporal/${name}.ts`));
const TASK_QUEUE = 'races';

type History = Awaited<ReturnType<Awaited<ReturnType<WorkflowClient['start']>>['fetchHistory']>>;

/** Starts eight runs, asks each of them again and again until all have ended, and reads their histories. */
async function race(workflow: WorkflowClient): Promise<History[]> {
  const ids = Array.from({ length: 8 }, (_, n) => `race-${n}`);
  const runs = await Promise.all(ids.map((workflowId) => workflow.start('racing', { workflowId, taskQueue: TASK_QUEUE })));
  let isOver = false;
  const watch = async (run: (typeof runs)[number]) => {
    while (!isOver) await Promise.allSettled([run.query('ask'), pause(Math.random() * 20)]);
  };
  const watching = runs.flatMap((run) => Array.from({ length: 6 }, () => watch(run)));
  await Promise.all(runs.map((run) => run.result()));
  isOver = true;
  await Promise.all(watching);
  return Promise.all(runs.map((run) => run.fetchHistory()));
}

/** The number of tasks that a query completed before their local activity had its result: the next task has its marker. */
function completedEarly({ events }: History): number {
  const isMarkerOfNextTask = (at: number) =>
    events?.[at]?.workflowTaskScheduledEventAttributes && events[at + 3]?.markerRecordedEventAttributes && at > 3;
  return events?.filter((_, at) => isMarkerOfNextTask(at)).length ?? 0;
}

inSweep.test(
  'what a local activity cancels replays, though queries complete the task in which both began',
  async () => {
    const logger = new DefaultLogger('ERROR');
    Runtime.install({ logger });
    const workflowsPath = join(__dirname, 'support/racing-workflow.ts');
    const workflowBundle = await bundleWorkflowCode({ workflowsPath, workflowInterceptorModules: INTERCEPTORS, logger });
    const scratch = await Scratch.make();
    const { address, namespace, release } = await takeNamespace(scratch.binary, process.env);
    const connection = await NativeConnection.connect({ address });
    const client = await Connection.connect({ address });
    const { workflow } = new Client({ connection: client, namespace });
    const activities = { short: () => pause(30 + Math.random() * 60) };
    const worker = await Worker.create({ connection, namespace, taskQueue: TASK_QUEUE, workflowBundle, activities });
    await worker.runUntil(async () => {
      for (let early = 0; early < 20; ) {
        for (const history of await race(workflow)) {
          early += completedEarly(history);
          await Worker.runReplayHistory({ workflowBundle }, history);
        }
      }
    });
    await client.close();
    await connection.close();
    await release();
    await scratch.close();
  },
  SET_UP_MS,
);
