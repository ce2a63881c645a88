import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

/**
 * Every stored history, replayed with the workflows as they are now: a change in the order of commands breaks runs that are
 * in progress, and is found here. Where one fails, the change needs a patch marker or a new `irVersion`; a history is never
 * replaced.
 */
const ROOT = resolve(__dirname, '../..');
const HISTORIES = join(ROOT, 'test/histories');
const workflowBundle = { codePath: join(ROOT, 'dist/workflow-bundle.js') };
const dataConverter = { payloadConverterPath: join(ROOT, 'dist/workflows/temporal/payload-converter.js') };
const names = readdirSync(HISTORIES).filter((name) => name.endsWith('.json'));

interface History {
  events: { workflowExecutionStartedEventAttributes?: { workflowId?: string; originalExecutionRunId?: string } }[];
}

function historyOf(name: string): { history: History; workflowId: string; runId: string } {
  const history: History = JSON.parse(readFileSync(join(HISTORIES, name), 'utf8'));
  // A replay knows what a run makes of its own id, such as the ids of its children, only if it gets that id.
  const { workflowId = '', originalExecutionRunId: runId = '' } = history.events[0]?.workflowExecutionStartedEventAttributes ?? {};
  return { history, workflowId, runId };
}

/** By execution. One worker replays all: each worker reads the bundle anew. */
const replayed = new Map<string, Error | undefined>();

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
  });
  const histories = (async function* () {
    for (const name of names) yield historyOf(name);
  })();
  for await (const { workflowId, runId, error } of Worker.runReplayHistories({ workflowBundle, dataConverter }, histories)) {
    replayed.set(`${workflowId} ${runId}`, error);
  }
});

test.each(names)('%s replays', (name) => {
  const { workflowId, runId } = historyOf(name);
  const execution = `${workflowId} ${runId}`;
  expect([replayed.has(execution), replayed.get(execution)]).toEqual([true, undefined]);
});

test('each is of an execution of its own', () => {
  expect(replayed.size).toBe(names.length);
});

test.each(names)('%s tells nothing of the machine that recorded it', (name) => {
  const text = readFileSync(join(HISTORIES, name), 'utf8');
  const identities = new Set([...text.matchAll(/"(?:identity|stackTrace)": "([^"]*)"/g)].map((match) => match[1]));
  expect([...identities].filter((identity) => identity !== 'recorder' && identity !== '')).toEqual([]);
  expect(text).not.toMatch(/node_modules|\/home\/|\/root\/|\/tmp\//);
});

test('a history that the workflows did not make is refused', async () => {
  const foreign = readFileSync(join(HISTORIES, '001-main-job.json'), 'utf8').replaceAll('"bull#1~1"', '"bull#1~2"');
  await expect(Worker.runReplayHistory({ workflowBundle, dataConverter }, JSON.parse(foreign))).rejects.toMatchObject({
    name: 'DeterminismViolationError',
  });
});
