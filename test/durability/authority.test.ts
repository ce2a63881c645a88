import type { QueueView } from '../../plan/queue/queue-view';
import type { RunView } from '../../plan/run/status';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** Requests that nobody can get done with the plain Temporal CLI, whatever they type. */
let scratch: Scratch;
let address: string;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  ({ address } = scratch.place);
  const up = scratch.thermidor('up', '--json');
  await up.untilLine(/./);
}, SET_UP_MS);
afterAll(() => scratch.close());

const temporal = (...args: string[]) => scratch.temporal(...args, '--address', address);
const workflow = (verb: string, run: string, ...args: string[]) => temporal('workflow', ...verb.split(' '), '-w', run, ...args);

const TARGET = { repository: '/nowhere', refsIn: 'repository', branch: 'main' };

test.each([
  ['testMerged', { run: 'q', attempt: 1, target: TARGET, settings: { timeoutMs: 9000, test: 'touch owned' }, commit: 'c', candidates: [] }],
  ['advanceTarget', { run: 'q', target: TARGET, from: 'a', to: 'b', candidates: [] }],
  ['openRun', { run: 'by-hand', workflowType: 'ask', input: {} }],
  ['command', { run: 'by-hand' }],
])('an activity is not called by hand: %s', async (type, input) => {
  const { code, out, err } = await temporal(
    ...['activity', 'execute', '--activity-id', `${type}#1~1`, '--type', type, '--task-queue', 'thermidor'],
    ...['--start-to-close-timeout', '20s', '--input', JSON.stringify(input)],
  );
  expect([code, out + err]).toEqual([1, expect.stringContaining('is called by no workflow')]);
});

describe('what the server hands on from an execution to the next is the starter’s word', () => {
  const state = {
    ...{ tickets: [], line: [], apart: [], ending: [], done: [], ticketsTaken: 0, attemptsMade: 1 },
    target: TARGET,
    paused: { by: 'mallory' },
  };
  const ref = { kind: 'snapshot', sha256: '0'.repeat(64), sizeBytes: 2, mediaType: 'application/json' };
  const viewed = async <View>(id: string, query: string) => {
    const answer = await workflow('query', id, '--name', query, '-o', 'json');
    return answer.code === 0 ? readJson<{ queryResult: [View] }>(answer).queryResult[0] : undefined;
  };
  const queueOf = (id: string) => viewed<QueueView>(id, 'queue');
  const executions = async (id: string) => {
    const { out } = await temporal('workflow', 'list', '--query', `WorkflowId = '${id}'`, '-o', 'json');
    return (JSON.parse(out) as { status: string }[]).map(({ status }) => status);
  };
  const startQueue = (id: string, input: unknown, ...more: string[]) =>
    workflow('start', id, '--task-queue', 'thermidor', '--type', 'thermidor:queue', '-i', JSON.stringify(input), ...more);

  test.each([
    ['cron', (id: string) => startQueue(id, { state }, '--cron', '@every 1s', '--run-timeout', '2s')],
    [
      'a retry policy and a reset',
      async (id: string) => {
        await retried(id, { state });
        await until('it was tried again', async () => (await executions(id)).length > 1);
        await workflow('reset', id, '--type', 'FirstWorkflowTask', '--reason', 'x');
      },
    ],
  ])('a queue’s state, by %s', async (how, begin) => {
    const id = `queue:forged by ${how}#main`;
    await begin(id);
    await until('another execution answers', async () => (await executions(id)).length > 1 && (await queueOf(id)) !== undefined);
    expect(await queueOf(id)).not.toHaveProperty('target');
    expect(await queueOf(id)).not.toHaveProperty('paused');
    await workflow('terminate', id);
  });

  test('a state that another queue has stored, or nobody', async () => {
    await startQueue('queue:forged reference#main', { state: ref });
    expect((await workflow('result', 'queue:forged reference#main', '-o', 'json')).out).toMatch(/"type": *"input\.invalid"/);
  });

  test('the moment at which a run began', async () => {
    const began = { '--memo': 'startedAt="2001-01-01T00:00:00.000Z"', '--cron': '@every 1s' };
    await workflow('start', 'later', '--task-queue', 'thermidor', '--type', 'later', '-i', '{}', ...Object.entries(began).flat());
    await until('it was not there', async () => (await executions('later')).length > 1);
    scratch.write('pipelines/later.yaml', 'name: later\nsteps:\n  - id: answer\n    input: {prompt: What now?}\n');
    const { startedAt } = await until('it asks', async () => {
      const view = await viewed<RunView>('later', 'status');
      return view?.gates?.length === 1 && view;
    });
    expect(startedAt).not.toMatch(/^2001/);
    await workflow('terminate', 'later');
  });

  async function retried(id: string, input: unknown): Promise<void> {
    const { Client, Connection } = await import('@temporalio/client');
    const connection = await Connection.connect({ address });
    const client = new Client({ connection, namespace: scratch.place.namespace });
    const options = { workflowId: id, taskQueue: 'thermidor', args: [input], workflowRunTimeout: '2s' } as const;
    await client.workflow.start('thermidor:queue', { ...options, retry: { maximumAttempts: 9, initialInterval: '100ms' } });
    await connection.close();
  }
});
