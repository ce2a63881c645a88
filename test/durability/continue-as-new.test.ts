import { connectClient } from '../../client/connect';
import type { RunKey } from '../../records/ledger';
import { type RunLife, runLifeOnServer } from '../../worker/worktrees/run-life';
import { journal, untilStatus } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { startSuggestingServer } from './support/suggesting-server';
import { until } from './support/until';

/** A run longer than one history: a server of its own suggests to continue as new after 60 events instead of thousands. */
const STEPS = Array.from({ length: 40 }, (_, i) => `s${i + 1}`);
let scratch: Scratch;
let address: string;

beforeAll(async () => {
  const settings: NodeJS.ProcessEnv = {};
  scratch = await Scratch.make(settings);
  address = await startSuggestingServer(scratch, 60);
  settings['TEMPORAL_ADDRESS'] = address;
  scratch.follow('worker');
}, SET_UP_MS);
afterAll(() => scratch.close());

/** A chain of commands and, in parallel, a gate for which the last step waits. */
function longPipeline(): string {
  const chain = STEPS.map((id, i) => {
    const after = i === 0 ? '' : `\n    depends_on: [s${i}]`;
    return `  - id: ${id}${after}\n    run: "echo ${id} >> '${scratch.path('lines')}'"\n`;
  });
  const gate = '  - id: sign\n    type: approval\n  - id: last\n    depends_on: [sign, s40]\n    run: echo done\n';
  return `name: long\nsteps:\n${chain.join('')}${gate}`;
}

async function executions(run: string): Promise<number> {
  const list = await scratch.temporal('workflow', 'list', '--query', `WorkflowId = '${run}'`, '-o', 'json', '--address', address);
  return readJson<unknown[]>(list).length;
}

test('goes on as new at step boundaries: each step once, the gate stays open, the journal has no gap', async () => {
  scratch.write('pipelines/long.yaml', longPipeline());
  const { run } = await scratch.json<{ run: string }>('run', 'long', '--detach');
  const waiting = await untilStatus(scratch, run, 'the chain is done', ({ steps }) =>
    steps.some(({ id, state }) => id === 's40' && state === 'done'),
  );
  expect(waiting.gates).toMatchObject([{ step: 'sign' }]);
  const key = { workflowId: run, run: waiting.firstRunId };
  expect(await lifeOf(key)).toEqual({ kind: 'open' });
  expect(await scratch.ask('approve', run, '--by', 'chairman')).toMatchObject({ code: 0 });
  const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
  expect(view.firstRunId).not.toBe(view.runId);
  expect(await lifeOf(key)).toMatchObject({ kind: 'ended' });
  expect(view.steps.map(({ id, state }) => ({ id, state }))).toEqual([...STEPS, 'sign', 'last'].map((id) => ({ id, state: 'done' })));
  expect(scratch.lines('lines')).toEqual(STEPS);
  const entries = await journal(scratch, run);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1));
  expect(entries.filter((entry) => entry.kind === 'gate' && entry.event === 'opened')).toHaveLength(1);
  expect(await until('the list has them all', async () => (await executions(run)) > 2)).toBe(true);
  // What an activity knows about its own execution takes no room in history; those of a later execution get the run's id.
  expect(await activityInputs(run, view.firstRunId)).not.toContain(view.firstRunId);
  expect(await activityInputs(run, view.runId)).toContain(view.firstRunId);
});

/** The state of a run on which the janitor of worktrees decides. */
async function lifeOf(key: RunKey): Promise<RunLife> {
  const client = await connectClient({ address, namespace: 'default' });
  try {
    return await runLifeOnServer(client.connection, 'default')(key);
  } finally {
    await client.close();
  }
}

interface Scheduled {
  input?: { payloads: { data: string }[] };
}

/** The inputs that an execution gave to its activities, as text. */
async function activityInputs(run: string, runId: string): Promise<string> {
  const shown = await scratch.temporal('workflow', 'show', '-w', run, '-r', runId, '-o', 'json', '--address', address);
  const { events } = readJson<{ events: { activityTaskScheduledEventAttributes?: Scheduled }[] }>(shown);
  const scheduled = events.flatMap(({ activityTaskScheduledEventAttributes: attributes }) => attributes ?? []);
  expect(scheduled.length).toBeGreaterThan(0);
  return scheduled.flatMap(({ input }) => input?.payloads.map(({ data }) => Buffer.from(data, 'base64').toString('utf8')) ?? []).join('\n');
}
