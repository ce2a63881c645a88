import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { failLostActivities } from '../../cli/embedded/fail-lost-activities';
import { acquireServer, type EmbeddedServer } from '../../cli/embedded/server';
import { connectClient, type ThermidorClient } from '../../client/connect';

/** The test plays the worker by hand, call by call, to decide exactly who holds which activity. */
const NAMESPACE = 'default';
const MINUTE = msToTs('1 minute');
/** Only bounds hangs; the server refuses to hold a poll that has no deadline. */
const POLL_PATIENCE_MS = 60_000;
const { CommandType } = temporal.api.enums.v1;

let folder: string;
let server: EmbeddedServer;
let client: ThermidorClient;
let connection: Connection;
let taskQueue: { name: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'thermidor-take-over-'));
  server = await acquireServer({ stateDir: folder, role: 'look' });
  client = await connectClient({ address: server.address, namespace: NAMESPACE });
  connection = client.connection;
}, 300_000);

afterAll(async () => {
  await client.close();
  await server.release();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  taskQueue = { name: `take-over-${randomUUID()}` };
});

/** A run that has scheduled these activities and waits for them. */
async function runWith(...activityIds: string[]): Promise<string> {
  const workflowId = randomUUID();
  const service = connection.workflowService;
  await service.startWorkflowExecution({
    ...{ namespace: NAMESPACE, workflowId, requestId: randomUUID(), taskQueue, workflowType: { name: 'by_hand' } },
    workflowTaskTimeout: MINUTE,
  });
  await completeWorkflowTask(
    activityIds.map((activityId) => ({
      commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
      scheduleActivityTaskCommandAttributes: {
        ...{ activityId, activityType: { name: 'agent' }, taskQueue, scheduleToCloseTimeout: MINUTE, startToCloseTimeout: MINUTE },
        retryPolicy: { initialInterval: msToTs('1 ms'), backoffCoefficient: 1 },
        requestEagerExecution: false,
      },
    })),
  );
  return workflowId;
}

async function completeWorkflowTask(commands: temporal.api.command.v1.ICommand[]): Promise<void> {
  const service = connection.workflowService;
  const { taskToken } = await poll(() => service.pollWorkflowTaskQueue({ namespace: NAMESPACE, taskQueue, identity: 'by-hand' }));
  await service.respondWorkflowTaskCompleted({ namespace: NAMESPACE, taskToken, commands, identity: 'by-hand' });
}

function poll<T>(call: () => Promise<T>): Promise<T> {
  return connection.withDeadline(Date.now() + POLL_PATIENCE_MS, call);
}

function takeActivity(identity: string) {
  return poll(() => connection.workflowService.pollActivityTaskQueue({ namespace: NAMESPACE, taskQueue, identity }));
}

function takeOverFrom(...lostWorkers: string[]) {
  return failLostActivities({ connection, namespace: NAMESPACE, lostWorkers, identity: 'heir', taskQueue: taskQueue.name });
}

/** Visibility is some milliseconds late, so the test waits for a list that has everything. */
async function untilListed(count: number): Promise<void> {
  for (;;) {
    const { executions } = await connection.workflowService.listWorkflowExecutions({
      namespace: NAMESPACE,
      query: `TaskQueue = '${taskQueue.name}'`,
    });
    if (executions.length === count) return;
  }
}

test('an activity of a lost worker is tried again at once', async () => {
  const workflowId = await runWith('intel#1~1');
  expect(await takeActivity('lost')).toMatchObject({ activityId: 'intel#1~1', attempt: 1 });
  await untilListed(1);
  expect(await takeOverFrom('lost')).toEqual([{ workflowId, activityId: 'intel#1~1', worker: 'lost' }]);
  expect(await takeActivity('heir')).toMatchObject({ activityId: 'intel#1~1', attempt: 2 });
});

test('what a living worker holds, or nobody yet, is left alone', async () => {
  await runWith('bull#1~1', 'bear#1~1', 'intel#1~1');
  const living = await takeActivity('living');
  const lost = await takeActivity('lost');
  await untilListed(1);
  expect(await takeOverFrom('lost')).toMatchObject([{ activityId: lost.activityId }]);
  expect(await takeOverFrom('lost')).toEqual([]);
  await connection.workflowService.respondActivityTaskCompleted({ namespace: NAMESPACE, taskToken: living.taskToken, identity: 'living' });
});

test('activities of every open run are found', async () => {
  const runs = [await runWith('a#1~1'), await runWith('a#1~1'), await runWith('a#1~1')];
  for (const worker of ['lost-1', 'lost-2', 'lost-1']) await takeActivity(worker);
  await untilListed(3);
  const taken = await takeOverFrom('lost-1', 'lost-2');
  expect(taken.map(({ workflowId }) => workflowId).sort()).toEqual(runs.sort());
});

test('a cancellation that a lost worker did not confirm is confirmed', async () => {
  const workflowId = await runWith('build#1~1');
  await takeActivity('lost');
  await connection.workflowService.requestCancelWorkflowExecution({ namespace: NAMESPACE, workflowExecution: { workflowId } });
  const scheduledEventId = await scheduledEventOf(workflowId);
  await completeWorkflowTask([
    {
      commandType: CommandType.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK,
      requestCancelActivityTaskCommandAttributes: { scheduledEventId },
    },
  ]);
  await untilListed(1);
  expect(await takeOverFrom('lost')).toHaveLength(1);
  const events = await historyOf(workflowId);
  expect(events.some((event) => event.activityTaskCanceledEventAttributes)).toBe(true);
});

test('without lost workers the server is not asked', async () => {
  await expect(takeOverFrom()).resolves.toEqual([]);
});

async function historyOf(workflowId: string) {
  const { history } = await connection.workflowService.getWorkflowExecutionHistory({ namespace: NAMESPACE, execution: { workflowId } });
  return history?.events ?? [];
}

async function scheduledEventOf(workflowId: string) {
  return (await historyOf(workflowId)).find((event) => event.activityTaskScheduledEventAttributes)?.eventId ?? null;
}
