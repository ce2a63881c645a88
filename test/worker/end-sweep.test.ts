import type { EndContent } from '../../plan/run/end-content';
import { InvalidRecord, readEndedRun, storedEndContent } from '../../records/runs/ended-run';
import type { ListingServer } from '../../worker/closed-executions';
import { startEndSweep, sweepEnds } from '../../worker/end-sweep';
import { KEY, scratchFolder, workshop } from '../activities/workshop';
import { runView } from '../cli/views';
import { command } from '../support/steps';

interface Execution {
  runId: string;
  status: number;
  reason?: string;
  failure?: { message: string; applicationFailureInfo?: { type: string } };
}
const [RUNNING, FAILED, TERMINATED, TIMED_OUT] = [1, 3, 5, 7];
const CLOSED = 1_800_000_000;
const CLOSED_AT = new Date(CLOSED * 1000).toISOString();

const VIEW = { ...runView([]), run: KEY.workflowId, firstRunId: KEY.run, owner: 'ann' };
const CONTENT: EndContent = { view: VIEW, journal: { pages: [], entries: [] }, state: { state: { records: {} } } };

/** A server with executions of one run, whose worker answers like this. `queries`: what it was asked. */
function serverOf(
  executions: readonly Execution[],
  answer: (from: number) => unknown,
  queries: string[] = [],
  asked: string[] = [],
): ListingServer {
  const find = (runId?: string | null) => (runId ? executions.find((one) => one.runId === runId) : executions.at(-1));
  const infoOf = ({ runId, status }: Execution) => ({
    ...{ execution: { workflowId: KEY.workflowId, runId }, firstRunId: KEY.run, type: { name: 'p' }, status },
    closeTime: { seconds: CLOSED, nanos: 0 },
  });
  return {
    withDeadline: (_limit: number, work: () => Promise<unknown>) => work(),
    workflowService: {
      listWorkflowExecutions: async ({ query }: { query: string }) => {
        queries.push(query);
        return { executions: executions.filter(({ status }) => status !== RUNNING).map(infoOf) };
      },
      describeWorkflowExecution: async ({ execution }: { execution: { runId?: string } }) => {
        const found = find(execution.runId);
        return { workflowExecutionInfo: found && infoOf(found) };
      },
      getWorkflowExecutionHistoryReverse: async ({ execution }: { execution: { runId?: string } }) => {
        const { reason, failure } = find(execution.runId) ?? {};
        const failed = failure && { failure };
        return {
          history: {
            events: [
              {
                workflowExecutionTerminatedEventAttributes: reason === undefined ? null : { reason },
                workflowExecutionFailedEventAttributes: failed,
              },
            ],
          },
        };
      },
      queryWorkflow: async ({ query }: { query: { queryType: string; queryArgs: { payloads: { data: Buffer }[] } } }) => {
        asked.push(query.queryType);
        const { part } = JSON.parse(query.queryArgs.payloads[0]?.data.toString() ?? '') as { part: { from: number } };
        const said = answer(part.from);
        return {
          queryResult: { payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(said)) }] },
        };
      },
    },
  } as unknown as ListingServer;
}

function workerOf(root = scratchFolder()) {
  const at = workshop({}, root);
  const sweep = startEndSweep();
  const signal = new AbortController().signal;
  const look = (server: ListingServer) =>
    sweepEnds({ server, namespace: 'default', taskQueue: 'q', toolbox: at.toolbox, log: () => undefined }, sweep, signal);
  return { at, look, sweep, root };
}
const lines = (at: ReturnType<typeof workshop>) => at.ledger.lines(KEY, 'ended');
const says = () => CONTENT;

test.each([
  ['was terminated', { status: TERMINATED, reason: 'enough' }, { code: 'terminated', message: 'enough' }],
  ['timed out', { status: TIMED_OUT }, { code: 'timeout', message: 'its time ran out' }],
  [
    'failed before it began',
    { status: FAILED, failure: { message: 'gone', applicationFailureInfo: { type: 'artifact.missing' } } },
    { code: 'artifact.missing', message: 'gone' },
  ],
])('a run that %s gets the record that it could not write, once, whatever workers look', async (_, execution, error) => {
  const workers = [workerOf()];
  workers.push(workerOf(workers[0]!.root), workerOf(workers[0]!.root));
  const [{ at }] = workers as [ReturnType<typeof workerOf>];
  await at.open([command('a')]);
  const asked: string[] = [];
  const server = serverOf([{ runId: 'x', ...execution }], says, [], asked);
  await Promise.all(workers.map(({ look }) => look(server)));
  for (const { look } of [...workers, workerOf(at.root)]) await look(server);
  expect(asked).toEqual(['closed:end']);
  expect(await lines(at)).toHaveLength(1);
  const ended = (await readEndedRun(at.ledger, KEY))!;
  expect(ended).toMatchObject({
    run: KEY.workflowId,
    execution: 'x',
    pipeline: 'p',
    state: 'failed',
    endedAt: CLOSED_AT,
    error,
    owner: 'ann',
  });
  expect(await storedEndContent(at.artifacts, KEY, ended)).toEqual(CONTENT);
});

test('a long answer comes in parts', async () => {
  const { at, look } = workerOf();
  await at.open([command('a')]);
  const text = JSON.stringify(CONTENT);
  await look(
    serverOf([{ runId: 'x', status: TERMINATED }], (from) => ({ part: text.slice(from, from + 100), total: text.length, stamp: '1' })),
  );
  expect(await storedEndContent(at.artifacts, KEY, (await readEndedRun(at.ledger, KEY))!)).toEqual(CONTENT);
});

test.each([
  [
    'goes on after a reset',
    [
      { runId: 'x', status: TERMINATED },
      { runId: 'y', status: RUNNING },
    ],
    true,
  ],
  ['another state folder has', [{ runId: 'x', status: TERMINATED }], false],
])('a run that %s gets none, and is not looked at again', async (_, executions, isOpened) => {
  const { at, look, sweep } = workerOf();
  if (isOpened) await at.open([command('a')]);
  await look(serverOf(executions, says));
  expect([await lines(at), [...sweep.settled]]).toEqual([[], ['x']]);
});

test('one that has its record, of this end or a later one, keeps it; also one that nobody can read', async () => {
  const { at, look } = workerOf();
  await at.open([command('a')]);
  await look(serverOf([{ runId: 'x', status: TERMINATED }], says));
  const asked: string[] = [];
  for (const runId of ['x', 'earlier']) await workerOf(at.root).look(serverOf([{ runId, status: TERMINATED }], says, [], asked));
  await at.ledger.append(KEY, 'ended', 'torn');
  await workerOf(at.root).look(serverOf([{ runId: 'later', status: TERMINATED }], says, [], asked));
  expect(asked).toEqual([]);
  await expect(readEndedRun(at.ledger, KEY)).rejects.toThrow(InvalidRecord);
});

const { pages, entries } = CONTENT.journal;
test.each([
  ['nothing', null],
  ['a text', 'end'],
  ['the view of another run', { ...CONTENT, view: { ...VIEW, run: 'other' } }],
  ['the view of an earlier run of its name', { ...CONTENT, view: { ...VIEW, firstRunId: 'other' } }],
  ['steps without addresses', { ...CONTENT, view: { ...VIEW, steps: [{ state: 'completed' }] } }],
  ['no journal', { view: VIEW }],
  ['pages that refer to nothing', { ...CONTENT, journal: { pages: [{ fromSeq: 1, toSeq: 2, ref: 'x' }], entries } }],
  ['entries without numbers', { ...CONTENT, journal: { pages, entries: [{ kind: 'run' }] } }],
])('a run that says of its end: %s, has a record of how it ended', async (_, said) => {
  const { at, look } = workerOf();
  await at.open([command('a')]);
  await look(serverOf([{ runId: 'x', status: TERMINATED }], () => said));
  expect(await readEndedRun(at.ledger, KEY)).toMatchObject({ state: 'failed', error: { code: 'terminated' } });
  expect((await readEndedRun(at.ledger, KEY))?.content).toBeUndefined();
});

test.each([
  ['answers with a failure', () => Promise.reject(Object.assign(new Error('never opened'), { code: 3 })), 1],
  ['does not answer three times', () => Promise.reject(Object.assign(new Error('late'), { code: 4 })), 3],
])('a run that %s has a record of how it ended', async (_, answer, times) => {
  const { at, look, sweep } = workerOf();
  await at.open([command('a')]);
  const server = serverOf([{ runId: 'x', status: TERMINATED, reason: 'enough' }], () => undefined);
  const query = jest.spyOn(server.workflowService, 'queryWorkflow').mockImplementation(answer);
  const now = jest.spyOn(Date, 'now');
  for (let times_ = 0; times_ < 5; times_++) {
    await look(server);
    now.mockReturnValue(Date.now() + 121_000);
  }
  now.mockRestore();
  expect([query.mock.calls.length, [...sweep.settled]]).toEqual([times, ['x']]);
  const { content, ...ended } = (await readEndedRun(at.ledger, KEY))!;
  expect([content, ended]).toMatchObject([undefined, { state: 'failed', error: { code: 'terminated', message: 'enough' } }]);
});

test('the first look is at all that the server knows, and later ones at what is new, once nothing was missed', async () => {
  const { at, look } = workerOf();
  await at.open([command('a')]);
  const queries: string[] = [];
  const late = () => Promise.reject(Object.assign(new Error('late'), { code: 4 }));
  const server = serverOf([{ runId: 'x', status: TERMINATED }], says, queries);
  const query = jest.spyOn(server.workflowService, 'queryWorkflow').mockImplementation(late);
  await look(server);
  query.mockRestore();
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 121_000);
  await look(server);
  await look(server);
  now.mockRestore();
  expect(queries.map((asked) => asked.includes('CloseTime'))).toEqual([false, false, true]);
});

test('a worker that stops waits for no answer', async () => {
  const { at } = workerOf();
  await at.open([command('a')]);
  const stopping = new AbortController();
  const server = serverOf([{ runId: 'x', status: TERMINATED }], says);
  jest.spyOn(server.workflowService, 'queryWorkflow').mockImplementation(() => {
    stopping.abort();
    return new Promise(() => undefined);
  });
  const options = { server, namespace: 'default', taskQueue: 'q', toolbox: at.toolbox, log: () => undefined };
  await sweepEnds(options, startEndSweep(), stopping.signal);
  expect(await lines(at)).toEqual([]);
});
