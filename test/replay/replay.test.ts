import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

/**
 * Replays every stored history with the present workflows. This finds a change in the order of commands, which would break runs in
 * progress. If one fails, the change needs a new `RUN_VERSION`; a history is never replaced.
 */
const ROOT = resolve(__dirname, '../..');
const HISTORIES = join(ROOT, 'test/histories');
const workflowBundle = { codePath: join(ROOT, 'dist/workflow-bundle.js') };
const dataConverter = { payloadConverterPath: join(ROOT, 'dist/workflows/temporal/payload-converter.js') };
const cases = readdirSync(HISTORIES).flatMap((name) => /^(.*)\.json\.gz$/.exec(name)?.[1] ?? []);

function textOf(name: string): string {
  return gunzipSync(readFileSync(join(HISTORIES, `${name}.json.gz`))).toString();
}

interface History {
  events: { workflowExecutionStartedEventAttributes?: { workflowId?: string; originalExecutionRunId?: string } }[];
}

interface Execution {
  history: History;
  workflowId: string;
  runId: string;
}

/** The executions of a case: its run, and others that it began. */
function executionsOf(name: string): Execution[] {
  return (JSON.parse(textOf(name)) as History[]).map((history) => {
    // The ids of a run's children are made from its own id, so the replay must get that id.
    const { workflowId = '', originalExecutionRunId: runId = '' } = history.events[0]?.workflowExecutionStartedEventAttributes ?? {};
    return { history, workflowId, runId };
  });
}

/** The results by execution. One worker replays all, because each worker reads the bundle again. */
const replayed = new Map<string, Error | undefined>();

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
  });
  const histories = (async function* () {
    for (const name of cases) yield* executionsOf(name);
  })();
  for await (const { workflowId, runId, error } of Worker.runReplayHistories({ workflowBundle, dataConverter }, histories)) {
    replayed.set(`${workflowId} ${runId}`, error);
  }
});

test.each(cases)('%s replays', (name) => {
  const problems = executionsOf(name).map(({ workflowId, runId }) => {
    const execution = `${workflowId} ${runId}`;
    return [replayed.has(execution), replayed.get(execution)];
  });
  expect(problems).toEqual(problems.map(() => [true, undefined]));
  expect(problems.length).toBeGreaterThan(0);
});

test('each is of an execution of its own', () => {
  expect(replayed.size).toBe(cases.flatMap(executionsOf).length);
});

test('each case says what it guards', () => {
  const list = readFileSync(join(HISTORIES, 'README.md'), 'utf8');
  expect([...list.matchAll(/^\| `([^`]+)` \| [^|]+ \|$/gm)].map(([, name]) => name).sort()).toEqual([...cases].sort());
});

test.each(cases)('%s tells nothing about the machine that recorded it', (name) => {
  const text = textOf(name);
  const identities = new Set([...text.matchAll(/"(?:identity|stackTrace)":"([^"]*)"/g)].map((match) => match[1]));
  expect([...identities].filter((identity) => identity !== 'recorder' && identity !== '')).toEqual([]);
  expect(text).not.toMatch(/node_modules|\/home\/|\/root\/|\/tmp\//);
});

test('a history that the workflows did not make is refused', async () => {
  const [foreign] = JSON.parse(textOf('main-job').replaceAll('"bull#1~1"', '"bull#1~2"'));
  await expect(Worker.runReplayHistory({ workflowBundle, dataConverter }, foreign)).rejects.toMatchObject({
    name: 'DeterminismViolationError',
  });
});
