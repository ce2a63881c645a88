import { ApplicationFailure, CancelledFailure, TerminatedFailure, TimeoutFailure, WorkflowFailedError } from '@temporalio/client';
import { runPorts } from '../../client/callbacks/run-ports';
import { asClosed } from '../../client/closed-run';
import type { ThermidorClient } from '../../client/connect';
import { describeRun } from '../../client/find-run';
import { followRun } from '../../client/follow-run';
import { listRuns } from '../../client/list-runs';
import { readJournal } from '../../client/read-journal';
import { readLiveRun } from '../../client/read-live-run';
import type { RunSummary } from '../../client/run-summary';
import { whyRun } from '../../client/why';
import type { GateLink } from '../../plan/people/notice';
import type { JournalEntry } from '../../plan/run/journal';
import type { RunState } from '../../plan/run/status';
import { at, gateView, runView, stepView } from '../cli/views';

/**
 * Every status that the server can give a workflow, against everything that reads a run. The run itself says the same each time: it waits
 * at a gate, with a step held and one running. A workflow that was ended from outside is not told.
 */
const GATE = gateView('ask', {});
const SAYS = runView(
  [
    stepView('ask', { state: 'waiting', waitingFor: 'a decision', remindAt: at(60), storeSince: at(2) }),
    stepView('stuck', { state: 'held', waitingFor: 'an operator' }),
    stepView('busy', { state: 'running', startedAt: at(1) }),
    stepView('next', { state: 'pending' }),
  ],
  { state: 'held', gates: [GATE], held: [{ step: 'stuck', reason: 'it failed' }] },
);

const BEGAN: JournalEntry = { seq: 1, at: at(0), kind: 'run', state: 'running' };

type Expected = 'open' | { state: RunState; code?: string };
const STATUSES: Readonly<Record<string, Expected>> = {
  RUNNING: 'open',
  PAUSED: 'open',
  CONTINUED_AS_NEW: 'open',
  UNSPECIFIED: 'open',
  UNKNOWN: 'open',
  COMPLETED: { state: 'completed' },
  FAILED: { state: 'failed', code: 'command.failed' },
  CANCELLED: { state: 'cancelled' },
  TERMINATED: { state: 'failed', code: 'terminated' },
  TIMED_OUT: { state: 'failed', code: 'timeout' },
};
const ENDS: Readonly<Record<string, () => Promise<unknown>>> = {
  COMPLETED: async () => ({ status: 'completed' }),
  FAILED: () => failed(ApplicationFailure.nonRetryable('exit 1', 'command.failed')),
  CANCELLED: () => failed(new CancelledFailure('cancelled')),
  TERMINATED: () => failed(new TerminatedFailure('by hand')),
  TIMED_OUT: () => failed(new TimeoutFailure('too long', undefined, 'START_TO_CLOSE' as never)),
};

function failed(cause: Error): Promise<never> {
  return Promise.reject(new WorkflowFailedError('Workflow execution failed', cause, 'NON_RETRYABLE_FAILURE' as never));
}

function serverWith(status: string): ThermidorClient {
  const closed = ENDS[status] !== undefined;
  const info = {
    workflowId: 'r',
    runId: 'r',
    type: 'p',
    startTime: new Date(at(0)),
    status: { name: status },
    memo: { state: 'held', gates: [GATE] },
    ...(closed ? { closeTime: new Date(at(90)) } : {}),
  };
  const handle = {
    describe: async () => ({ ...info, raw: {} }),
    query: async (name: string, { after = 0 }: { after?: number } = {}) =>
      name === 'gates' ? [GATE] : name === 'journal' ? { pages: [], entries: after < 1 ? [BEGAN] : [], nextSeq: 2 } : SAYS,
    result: () => (ENDS[status] ?? (() => new Promise(() => undefined)))(),
  };
  const seen = { seconds: Math.floor(Date.now() / 1000) };
  return {
    namespace: 'default',
    taskQueue: 'thermidor',
    call: (request: () => unknown) => request(),
    connection: {
      withAbortSignal: (_signal: AbortSignal, work: () => unknown) => work(),
      withDeadline: (_limit: number, work: () => unknown) => work(),
    },
    temporal: {
      options: { loadedDataConverter: { payloadCodecs: [], payloadConverter: {} } },
      workflowService: { describeTaskQueue: async () => ({ pollers: [{ identity: 'w', lastAccessTime: seen }] }) },
      workflow: {
        getHandle: () => handle,
        list: async function* () {
          yield info;
        },
      },
    },
  } as unknown as ThermidorClient;
}

describe.each(Object.entries(STATUSES))('of a workflow that is %s', (status, expected) => {
  const client = serverWith(status);
  const open = expected === 'open';

  test('status, watch and show', async () => {
    const view = await readLiveRun(client, 'r');
    if (open) return expect(view).toEqual(SAYS);
    expect(view).toMatchObject({ state: expected.state, gates: [], endedAt: at(90), steps: [{}, {}, {}, { state: 'pending' }] });
    expect(view.error?.code).toBe(expected.code);
    expect([view.held, view.paused]).toEqual([undefined, undefined]);
    if (expected.state === 'completed') return expect(view.steps).toEqual(SAYS.steps);
    for (const step of view.steps.slice(0, 3)) expect(step).toMatchObject({ state: 'skipped', endedAt: at(90) });
    for (const step of view.steps) expect([step.waitingFor, step.remindAt, step.storeSince]).toEqual([undefined, undefined, undefined]);
  });

  test('why', async () => {
    const { state, reasons } = await whyRun(client, (await describeRun(client, 'r')) as RunSummary);
    if (open) return expect(reasons.map(({ kind }) => kind)).toEqual(['gate', 'held', 'works']);
    expect({ state, reasons }).toMatchObject({ state: expected.state, reasons: [{ kind: 'ended', since: at(90) }] });
    expect(reasons[0]?.text).toContain(expected.code ?? expected.state);
  });

  test('journal, which ends with what the run could not say', async () => {
    const store = { get: () => Promise.reject(new Error('no page')) };
    const bySelf = open || (expected.code !== 'terminated' && expected.code !== 'timeout');
    const end = { seq: 2, at: at(90), kind: 'run', state: 'failed', error: open ? undefined : { code: expected.code } };
    const wanted = bySelf ? [] : [end];
    expect(await readJournal(client, 'r', store)).toMatchObject([BEGAN, ...wanted]);
    // A reader that follows it gets the end once.
    expect(await readJournal(client, 'r', store, 1)).toMatchObject(wanted);
    expect(await readJournal(client, 'r', store, 2)).toEqual([]);
  });

  test('list and inbox', async () => {
    const [summary] = await listRuns(client);
    if (open) return expect(summary).toMatchObject({ state: status === 'PAUSED' ? 'paused' : 'held', gates: [{ step: 'ask' }] });
    expect(summary).toMatchObject({ state: expected.state, gates: [] });
  });

  test('what chats and links say of its gate', async () => {
    const gate = { run: 'r', step: 'ask', shownSha256: GATE.shownSha256 } as GateLink;
    expect(await runPorts(client).gateNow(gate, 1000)).toMatchObject({ kind: open ? 'open' : 'closed' });
  });

  test('run and watch to its end', async () => {
    const stop = new AbortController();
    const kinds: string[] = [];
    for await (const event of followRun(client, 'r', { signal: stop.signal, everyMs: 1 })) {
      kinds.push(event.kind);
      if (event.kind === 'view') expect(event.view.state).toBe(open ? 'held' : expected.state);
      if (event.kind === 'ended' && !open) expect(event.outcome.state).toBe(expected.state);
      if (open) stop.abort();
    }
    expect(kinds).toEqual(open ? ['view'] : ['view', 'ended']);
  });
});

test('a run that fails between the two looks, before it was open, says why it failed', async () => {
  const closed = await asClosed(serverWith('FAILED'), runView([], { state: 'failed' }), { state: 'running' });
  expect(closed).toMatchObject({ state: 'failed', error: { code: 'command.failed' } });
});

test('an id that the server lists twice, as after a reset, is one line: its newest execution', async () => {
  const client = serverWith('RUNNING');
  const [running] = await listRuns(client);
  const terminated = {
    workflowId: 'r',
    runId: 'before',
    type: 'p',
    startTime: new Date(at(0)),
    closeTime: new Date(at(5)),
    status: { name: 'TERMINATED' },
  };
  const { workflow } = client.temporal;
  const info = await workflow.getHandle('r').describe();
  Object.assign(workflow, {
    list: async function* () {
      yield info;
      yield terminated;
    },
  });
  expect(await listRuns(client)).toEqual([running]);
  expect(await listRuns(client, { state: 'failed' })).toEqual([]);
});
