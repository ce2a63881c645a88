import { WorkflowNotFoundError } from '@temporalio/client';
import type { ThermidorClient } from '../../client/connect';
import { readPendingActivities } from '../../client/pending-activities';
import { readLiveRun } from '../../client/read-live-run';
import { at, runView, stepView } from '../cli/views';

interface Server {
  pending?: { id: string; type: string; beat?: object; startedAt?: string; paused?: true }[];
  asked?: string[];
}

/** A client whose server knows these pending activities. */
function clientWith({ pending = [], asked = [] }: Server): ThermidorClient {
  const pendingActivities = pending.map(({ id, type, beat, startedAt, paused = false }) => ({
    activityId: id,
    activityType: { name: type },
    state: 2,
    paused,
    attempt: 1,
    ...(startedAt === undefined ? {} : { lastStartedTime: { seconds: Date.parse(startedAt) / 1000, nanos: 0 } }),
    ...(beat === undefined ? {} : { heartbeatDetails: { payloads: [{ data: beat }] } }),
  }));
  const handle = {
    describe: async () => {
      asked.push('describe');
      return {
        workflowId: 'r',
        runId: 'r',
        type: 'p',
        startTime: new Date(at(0)),
        status: { name: 'RUNNING' },
        raw: { pendingActivities },
      };
    },
    query: async () => {
      asked.push('query');
      return runView([stepView('bull', { state: 'running' })]);
    },
  };
  return {
    call: (request: () => unknown) => request(),
    temporal: {
      workflow: { getHandle: () => handle },
      options: {
        loadedDataConverter: { payloadCodecs: [], payloadConverter: { fromPayload: (payload: { data: unknown }) => payload.data } },
      },
    },
  } as unknown as ThermidorClient;
}

test('the heartbeat of a chain names the command at work, when it began, and when those before it ran', async () => {
  const beat = {
    turn: 1,
    step: 'each[3]/lint#1~1',
    startedAtMs: Date.parse(at(4)),
    done: [{ startedAtMs: Date.parse(at(1)), endedAtMs: Date.parse(at(4)) }],
  };
  expect(
    (
      await readPendingActivities(
        clientWith({ pending: [{ id: 'each[3]/pull#1~1/chain', type: 'commands', beat, startedAt: at(1) }] }),
        'r',
      )
    ).underWay,
  ).toEqual([
    {
      address: 'each[3]/lint#1~1',
      state: 'started',
      attempt: 1,
      since: at(4),
      progress: { kind: 'chain', startedAt: at(4), done: [{ startedAt: at(1), endedAt: at(4) }] },
    },
  ]);
});

test('the heartbeat of an agent tells its turn, that of another activity nothing', async () => {
  const pending = [
    { id: 'bull#1~1', type: 'agent', beat: { turn: 7, transcript: 't', commit: 'c' } },
    { id: 'lint#1~1', type: 'command', beat: { turn: 0 } },
  ];
  const { underWay: works } = await readPendingActivities(clientWith({ pending }), 'r');
  expect(works.map(({ address, progress }) => [address, progress])).toEqual([
    ['bull#1~1', { kind: 'agent', turn: 7 }],
    ['lint#1~1', undefined],
  ]);
});

test('a worker that has said nothing yet tells less', async () => {
  const pending = [
    { id: 'a#1~1/chain', type: 'commands', beat: { turn: 1, step: 'b#1~1' }, startedAt: at(2) },
    { id: 'c#1~1/chain', type: 'commands' },
  ];
  const { underWay: works } = await readPendingActivities(clientWith({ pending }), 'r');
  expect(works).toMatchObject([{ address: 'b#1~1', since: at(2), progress: { kind: 'chain', done: [] } }, { address: 'c#1~1/chain' }]);
});

test('a run that is not there is reported as missing', async () => {
  const client = clientWith({});
  client.call = () => Promise.reject(new WorkflowNotFoundError('no', 'r', undefined));
  await expect(readPendingActivities(client, 'r')).rejects.toMatchObject({ code: 'run.not-found' });
});

test('a look asks the server before the run, so that no step is shown going back', async () => {
  const asked: string[] = [];
  const client = clientWith({ pending: [{ id: 'bull#1~1', type: 'agent', beat: { turn: 7 } }], asked });
  const { steps } = await readLiveRun(client, 'r');
  expect(asked).toEqual(['describe', 'query']);
  expect(steps).toMatchObject([{ id: 'bull', turn: 7 }]);
});

test('what an operator has paused on the server is neither running nor waiting for a worker', async () => {
  const { underWay } = await readPendingActivities(clientWith({ pending: [{ id: 'a#1~1', type: 'command', paused: true }] }), 'r');
  expect(underWay).toMatchObject([{ address: 'a#1~1', state: 'paused' }]);
});
