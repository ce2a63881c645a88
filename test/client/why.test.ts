import { QueryNotRegisteredError } from '@temporalio/client';
import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import type { RunSummary } from '../../client/run-summary';
import { whyRun } from '../../client/why';
import type { RunView } from '../../plan/run/status';
import { at, gateView, runView, stepView } from '../cli/views';

interface Server {
  /** By run. A run without an entry does not answer. */
  views: Record<string, RunView>;
  pollers?: boolean;
  /** Task queues that nobody polls. */
  idle?: string[];
  pending?: Record<string, object[]>;
}

function clientOf({ views, pollers = true, idle = [], pending = {} }: Server): ThermidorClient {
  const seen = { seconds: Math.floor(Date.now() / 1000) };
  return {
    namespace: 'default',
    taskQueue: 'thermidor',
    call: (request: () => unknown) => request(),
    temporal: {
      options: {
        loadedDataConverter: { payloadCodecs: [], payloadConverter: { fromPayload: (payload: { data: unknown }) => payload.data } },
      },
      workflowService: {
        getWorkflowExecutionHistoryReverse: async () => ({ history: { events: [] } }),
        describeTaskQueue: async ({ taskQueue }: { taskQueue: { name: string } }) => ({
          pollers: pollers && !idle.includes(taskQueue.name) ? [{ identity: 'w', lastAccessTime: seen }] : [],
        }),
      },
      workflow: {
        getHandle: (run: string) => ({
          query: async () => {
            const view = views[run];
            if (!view) throw new ClientProblem('worker.missing', 'no worker answered in time');
            return view;
          },
          describe: async () => ({
            workflowId: run,
            runId: run,
            type: 'p',
            startTime: new Date(at(0)),
            status: { name: 'RUNNING' },
            raw: { pendingActivities: pending[run] ?? [] },
          }),
        }),
      },
    },
  } as unknown as ThermidorClient;
}

const summary = (run: string, more: Partial<RunSummary> = {}): RunSummary => ({
  run,
  runId: run,
  pipeline: 'p',
  state: 'running',
  startedAt: at(0),
  gates: [],
  ...more,
});
const beat = (details: object) => ({ heartbeatDetails: { payloads: [{ data: details }] } });
const stamp = (seconds: number) => ({ seconds: Date.parse(at(seconds)) / 1000, nanos: 0 });

test('without a worker it says so, and what lists know of open gates', async () => {
  const gates: RunSummary['gates'] = [{ ...gateView('ask', { approvers: ['chairman'] }) }];
  const { reasons } = await whyRun(clientOf({ views: {}, pollers: false }), summary('r', { state: 'waiting', gates }));
  expect(reasons).toMatchObject([
    { kind: 'no-worker', who: expect.stringContaining('thermidor worker') },
    { kind: 'gate', step: 'ask', who: 'chairman' },
  ]);
});

test('what only a newer worker can go on with is said, whether a worker answers that or the history has it', async () => {
  const text = 'the run needs a worker of version 99; this one has version 5';
  const failed = { workflowTaskFailedEventAttributes: { failure: { message: text } } };
  const gone = clientOf({ views: {} });
  Object.assign(gone.temporal.workflowService, { getWorkflowExecutionHistoryReverse: async () => ({ history: { events: [{}, failed] } }) });
  expect((await whyRun(gone, summary('r'))).reasons).toMatchObject([{ kind: 'no-worker', text }]);
  const answering = clientOf({ views: {} });
  Object.assign(answering.temporal.workflow, {
    getHandle: () => ({ ...gone.temporal.workflow.getHandle('r'), query: () => Promise.reject(new QueryNotRegisteredError(text, 3)) }),
  });
  expect((await whyRun(answering, summary('r'))).reasons).toMatchObject([{ kind: 'no-worker', text: expect.stringContaining(text) }]);
});

test('a run that does not answer although workers poll is opening, or its worker is busy', async () => {
  const { reasons } = await whyRun(clientOf({ views: {} }), summary('r'));
  expect(reasons).toMatchObject([{ kind: 'opening', since: at(0) }]);
});

test('a run that answers without a worker for activities is reported with both', async () => {
  const view = runView([], { gates: [gateView('ask')], state: 'waiting' });
  const { reasons } = await whyRun(clientOf({ views: { r: view }, pollers: false }), summary('r'));
  expect(reasons.map(({ kind }) => kind)).toEqual(['no-worker', 'gate']);
});

test('what the server knows of an activity is reported: its attempt, its last sign of life, its last failure, when it is tried again', async () => {
  const view = runView([
    stepView('bull', { agent: 'bullish', state: 'running' }),
    stepView('bear', { agent: 'bearish', state: 'running' }),
  ]);
  const bull = {
    activityId: 'bull#1~1',
    state: 2,
    attempt: 3,
    lastStartedTime: stamp(5),
    lastHeartbeatTime: stamp(9),
    lastFailure: { message: 'overloaded' },
  };
  const bear = {
    activityId: 'bear#1~1',
    state: 1,
    attempt: 2,
    scheduledTime: { seconds: 4_000_000_000 },
    lastFailure: { message: 'away' },
  };
  const { reasons } = await whyRun(clientOf({ views: { r: view }, pending: { r: [bull, bear] } }), summary('r'));
  expect(reasons).toMatchObject([
    {
      kind: 'works',
      step: 'bull',
      since: at(5),
      text: `bullish is running, attempt 3, last heartbeat ${at(9)}, last failed with: overloaded`,
    },
    { kind: 'retry', step: 'bear', until: new Date(4_000_000_000_000).toISOString() },
  ]);
});

test('the command of a chain that is running is reported, and how many turns an agent has had', async () => {
  const view = runView([
    stepView('send', { kind: 'command', state: 'running', startedAt: at(1) }),
    stepView('slow', { kind: 'command' }),
    stepView('bull', { agent: 'bullish', state: 'running' }),
  ]);
  const started = { state: 2, attempt: 1, lastStartedTime: stamp(1) };
  const chain = {
    ...started,
    activityId: 'send#1~1/chain',
    activityType: { name: 'commands' },
    ...beat({ step: 'slow#1~1', startedAtMs: 7e12 }),
  };
  const bull = { ...started, activityId: 'bull#1~1', activityType: { name: 'agent' }, ...beat({ turn: 7 }) };
  const { reasons } = await whyRun(clientOf({ views: { r: view }, pending: { r: [chain, bull] } }), summary('r'));
  expect(reasons).toEqual([
    { kind: 'works', step: 'slow', text: 'command is running', since: new Date(7e12).toISOString() },
    { kind: 'works', step: 'bull', text: 'bullish is running, turn 7', since: at(1) },
  ]);
});

test('work that is done and waits for a full store says so, until it is stored', async () => {
  const view = runView([stepView('build', { kind: 'command', state: 'running' })]);
  const started = { state: 2, attempt: 1, lastStartedTime: stamp(1), activityId: 'build#1~1', activityType: { name: 'command' } };
  const plainBy = async (details: object) => {
    const { reasons } = await whyRun(clientOf({ views: { r: view }, pending: { r: [{ ...started, ...beat(details) }] } }), summary('r'));
    return reasons.map(({ text }) => text);
  };
  expect(await plainBy({ turn: 0, trouble: 'no space left in /state' })).toEqual([expect.stringContaining('no space left in /state')]);
  expect(await plainBy({ turn: 0 })).toEqual(['command is running']);
});

test('what a child pipeline waits for is reported with the way to it, and its gates once', async () => {
  const gate = gateView('deploy/ask');
  const parent = runView([stepView('deploy', { kind: 'pipeline', state: 'running', child: 'r.deploy' })], { gates: [gate] });
  const child = runView([stepView('w', { kind: 'wait', state: 'waiting', waitingFor: 'the signal go' })], { gates: [gateView('ask')] });
  const { reasons } = await whyRun(clientOf({ views: { r: parent, 'r.deploy': child } }), summary('r'));
  expect(reasons).toMatchObject([
    { kind: 'gate', step: 'deploy/ask' },
    { kind: 'waits', step: 'deploy/w', text: 'the signal go' },
  ]);
});

test('that nothing is under way is only said if nothing else is', async () => {
  const idle = runView([]);
  expect((await whyRun(clientOf({ views: { r: idle } }), summary('r'))).reasons).toMatchObject([{ kind: 'starting' }]);
  const { reasons } = await whyRun(clientOf({ views: { r: idle }, pollers: false }), summary('r'));
  expect(reasons.map(({ kind }) => kind)).toEqual(['no-worker']);
});

test('a run that is over is described from lists if it does not answer', async () => {
  const { reasons } = await whyRun(clientOf({ views: {} }), summary('r', { state: 'completed', endedAt: at(9) }));
  expect(reasons).toMatchObject([{ kind: 'ended', text: 'ended: completed', since: at(9) }]);
});

test('a queue on which a step waits, and which nobody polls, is named with the line that brings a worker', async () => {
  const views = {
    r: runView([stepView('a', { kind: 'command', state: 'running' }), stepView('b', { kind: 'command', state: 'running' })]),
  };
  const on = (id: string, name: string) => ({
    activityId: id,
    state: 1,
    attempt: 1,
    scheduledTime: stamp(0),
    activityOptions: { taskQueue: { name } },
  });
  const pending = { r: [on('a#1~1', 'thermidor:gpu'), on('b#1~1', 'thermidor')] };
  const { reasons } = await whyRun(clientOf({ views, idle: ['thermidor:gpu'], pending }), summary('r'));
  expect(reasons).toMatchObject([
    {
      kind: 'no-worker',
      step: 'a',
      text: 'no worker takes steps of queue gpu',
      who: expect.stringContaining('--queues default,gpu'),
      queue: 'gpu',
    },
    { kind: 'waits', step: 'a', text: 'waits for a worker' },
    { kind: 'waits', step: 'b', text: 'waits for a worker' },
  ]);
});
