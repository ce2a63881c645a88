import type { ChannelMessage } from '../../activities/channel-port';
import { ThermidorFailure } from '../../plan/run/failure';
import { memoryRecords } from '../../records/memory/memory-records';
import type { ListingServer } from '../../worker/closed-executions';
import { tellOfClosedRuns, watchClosedRuns } from '../../worker/closed-runs';
import { KEY, scratchFolder, workshop } from '../activities/workshop';
import { command } from '../support/steps';
import { until } from '../support/until';

interface Execution {
  runId: string;
  firstRunId?: string;
  status: number;
  reason?: string;
}

const TERMINATED = 5;
const TIMED_OUT = 7;

/** A server that has these executions of the workshop's workflow, the newest last, and lists those that it closed. */
function serverOf(...executions: Execution[]): ListingServer {
  const find = (runId?: string | null) => (runId ? executions.find((one) => one.runId === runId) : executions.at(-1));
  const infoOf = ({ runId, firstRunId = KEY.run, status }: Execution) => ({
    execution: { workflowId: KEY.workflowId, runId },
    type: { name: 'p' },
    firstRunId,
    status,
  });
  return {
    withDeadline: (_limit: number, work: () => Promise<unknown>) => work(),
    workflowService: {
      listWorkflowExecutions: async () => ({ executions: executions.filter(({ status }) => status > 2).map(infoOf) }),
      describeWorkflowExecution: async ({ execution }: { execution: { runId?: string } }) => {
        const found = find(execution.runId);
        return { workflowExecutionInfo: found && infoOf(found) };
      },
      getWorkflowExecutionHistoryReverse: async ({ execution }: { execution: { runId?: string } }) => {
        const { reason } = find(execution.runId) ?? {};
        return { history: { events: [{ workflowExecutionTerminatedEventAttributes: reason === undefined ? null : { reason } }] } };
      },
    },
  } as unknown as ListingServer;
}

/** A worker of a state folder that keeps what it sends. */
function workerOf(root: string, sent: ChannelMessage[], fails: ThermidorFailure[] = []) {
  const channel = {
    name: 'fake',
    serves: ({ channel }: ChannelMessage) => channel === '#errors',
    deliver: async (message: ChannelMessage) => {
      const failure = fails.shift();
      if (failure) throw failure;
      sent.push(message);
    },
  };
  const at = workshop({ channelAdapters: [channel] }, root);
  const settled = new Set<string>();
  const look = (server: ListingServer) =>
    tellOfClosedRuns(
      { server, namespace: 'default', taskQueue: 'q', toolbox: at.toolbox, log: () => undefined },
      settled,
      new AbortController().signal,
    );
  return { at, look, settled };
}

test.each([
  ['terminated', { runId: 'x', status: TERMINATED, reason: 'enough' }, 'terminated: enough'],
  ['terminated without a reason', { runId: 'x', status: TERMINATED }, 'terminated: the workflow was terminated'],
  ['timed out', { runId: 'x', status: TIMED_OUT }, 'timeout: its time ran out'],
])('a run that was %s is reported once, by several workers and after each has begun anew', async (_, execution, error) => {
  const sent: ChannelMessage[] = [];
  const root = scratchFolder();
  const workers = [0, 1, 2].map(() => workerOf(root, sent));
  await workers[0]!.at.open([command('a')]);
  const server = serverOf(execution);
  await Promise.all(workers.map(({ look }) => look(server)));
  for (const { look } of [...workers, workerOf(root, sent)]) await look(server);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ channel: '#errors', run: KEY.workflowId, end: { state: 'failed', error } });
  expect(sent[0]?.body).toContain(`p ${KEY.workflowId} was ended by the server: ${error}`);
});

test.each([
  [
    'goes on after a reset',
    [
      { runId: 'x', status: TERMINATED },
      { runId: 'y', status: 1 },
    ],
    true,
  ],
  ['another state folder has', [{ runId: 'x', status: TERMINATED }], false],
  ['ended by itself meanwhile', [{ runId: 'x', status: 3 }], true],
])('a run that %s is not reported, and not looked at again', async (_, executions, isOpened) => {
  const sent: ChannelMessage[] = [];
  const { at, look, settled } = workerOf(scratchFolder(), sent);
  if (isOpened) await at.open([command('a')]);
  await look(serverOf(...executions));
  expect([sent, [...settled]]).toEqual([[], ['x']]);
});

test('a run whose workflow id a later run has taken is reported', async () => {
  const sent: ChannelMessage[] = [];
  const { at, look } = workerOf(scratchFolder(), sent);
  await at.open([command('a')]);
  await look(serverOf({ runId: 'x', status: TERMINATED }, { runId: 'y', firstRunId: 'y', status: 1 }));
  expect(sent).toHaveLength(1);
});

test('a channel that is down is tried again later with the same key, and one that refuses is not', async () => {
  const sent: ChannelMessage[] = [];
  const down = [new ThermidorFailure('channel.unavailable', 'down')];
  const { at, look, settled } = workerOf(scratchFolder(), sent, down);
  await at.open([command('a')]);
  const server = serverOf({ runId: 'x', status: TERMINATED });
  await look(server);
  // Work that has begun may still be in progress.
  await look(server);
  expect([sent.length, settled.size]).toEqual([0, 0]);
  const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 121_000);
  await look(server);
  later.mockRestore();
  expect([sent.length, settled.size]).toEqual([1, 1]);
  const refusing = workerOf(scratchFolder(), sent, [new ThermidorFailure('channel.refused', 'gone')]);
  await refusing.at.open([command('a')]);
  await refusing.look(server);
  expect([sent.length, refusing.settled.size]).toEqual([1, 1]);
});

test.each([
  ['answers', serverOf()],
  ['is away', { ...serverOf(), withDeadline: () => Promise.reject(new Error('away')) }],
])('each look frees what dead workers held of the fleet, also while the server %s', async (_, server) => {
  const { at } = workerOf(scratchFolder(), []);
  const swept = jest.fn(async () => undefined);
  const toolbox = { ...at.toolbox, slots: { ...memoryRecords().slots, sweep: swept } };
  const stop = watchClosedRuns({ server, namespace: 'default', taskQueue: 'q', toolbox, log: () => undefined });
  await until(() => swept.mock.calls.length > 0);
  await stop();
  expect(swept).toHaveBeenCalledTimes(1);
});
