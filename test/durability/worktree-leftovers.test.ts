import { existsSync } from 'node:fs';
import { connectClient, type ThermidorClient } from '../../client/connect';
import { runLifeOnServer } from '../../worker/worktrees/run-life';
import { newRepository, sh } from '../git/scene';
import { inSweep } from '../support/sweep';
import { runOf } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** Leftovers of work that nobody could clean up, and what a real server says about runs. */
let scratch: Scratch;
let address: string;
let client: ThermidorClient;

beforeAll(async () => {
  scratch = await Scratch.make();
  address = await scratch.keepServer();
  client = await connectClient({ address, namespace: 'default' });
}, SET_UP_MS);
afterAll(async () => {
  await client.close();
  await scratch.close();
});

interface Listed {
  run: string;
  state: string;
  folder: string;
  branch: string;
}

async function listed(): Promise<Listed[]> {
  return (await scratch.json<{ worktrees: Listed[] }>('worktree', 'list')).worktrees;
}

async function pruned(...args: string[]): Promise<{ done: string; slot?: string }[]> {
  return (await scratch.json<{ swept: { done: string; slot?: string }[] }>('worktree', 'prune', ...args)).swept;
}

async function terminate(run: string): Promise<void> {
  expect(await scratch.temporal('workflow', 'terminate', '--workflow-id', run, '--address', address)).toMatchObject({ code: 0 });
}

inSweep.test('a killed worker’s worktree is in use while its run goes on, left over when that has ended, and then removed', async () => {
  const repository = newRepository(undefined, scratch.path('repository'));
  const step = (id: string, more = '') =>
    `  - id: ${id}\n    depends_on: []\n    run: touch ../../${id} && sleep 600\n    worktree: {repo: ${repository}${more}}\n`;
  scratch.write('pipelines/tree.yaml', `name: tree\nsteps:\n${step('held')}${step('kept', ', keep: true')}`);
  const worker = scratch.thermidor('run', 'tree');
  const run = await runOf(worker);
  const both = await until('both are at work', async () => {
    const found = await listed();
    return found.length === 2 && found.every(({ folder }) => existsSync(folder)) && found;
  });
  await worker.kill();
  expect((await pruned()).map(({ done }) => done)).toEqual(['kept', 'kept']);
  expect((await listed()).map(({ state }) => state)).toEqual(['in use', 'in use']);
  await terminate(run);
  expect((await listed()).map(({ state }) => state).sort()).toEqual(['kept', 'left over']);
  expect((await pruned('--older-than', '1h')).map(({ done }) => done)).toEqual(['kept', 'kept']);
  expect((await pruned('--dry-run')).map(({ done }) => done).sort()).toEqual(['kept', 'removed']);
  expect(both.every(({ folder }) => existsSync(folder))).toBe(true);
  expect((await pruned()).find(({ slot }) => slot === 'held')).toMatchObject({ done: 'removed' });
  expect(await pruned('--run', run)).toMatchObject([{ slot: 'kept', done: 'removed' }]);
  expect(await listed()).toEqual([]);
  expect(both.map(({ folder }) => existsSync(folder))).toEqual([false, false]);
  expect(sh(repository, 'for-each-ref', '--format=%(refname)', 'refs/heads/')).toBe('refs/heads/main');
});

test('a run that has ended is not one that began later under its id', async () => {
  const lifeOf = runLifeOnServer(client.connection, 'default');
  const start = async (): Promise<string> => {
    const args = ['--type', 'nobody', '--task-queue', 'nobody', '--workflow-id', 'again', '--address', address, '-o', 'json'];
    return readJson<{ runId: string }>(await scratch.temporal('workflow', 'start', ...args)).runId;
  };
  const first = await start();
  expect(await lifeOf({ workflowId: 'again', run: first })).toEqual({ kind: 'open' });
  await terminate('again');
  const ended = { kind: 'ended', atMs: expect.any(Number) };
  expect(await lifeOf({ workflowId: 'again', run: first })).toEqual(ended);
  const second = await start();
  expect(await lifeOf({ workflowId: 'again', run: first })).toEqual(ended);
  expect(await lifeOf({ workflowId: 'again', run: second })).toEqual({ kind: 'open' });
  expect(await lifeOf({ workflowId: 'never', run: second })).toEqual({ kind: 'unknown' });
  await terminate('again');
});
