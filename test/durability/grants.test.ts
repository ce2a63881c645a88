import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import type { Authority } from '../../plan/brief/authority';
import { BUILT_IN_ROLES } from '../../plan/brief/role';
import type { RunResult } from '../../plan/run/contract';
import type { JournalView } from '../../plan/run/journal';
import type { RunView } from '../../plan/run/status';
import { LastingGrantFiles } from '../../records/directory/lasting-grant-files';
import { BoundaryWorkers } from './support/boundary-workers';
import { giveBack } from './support/give-back';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** An answer to an agent's call, on a real server, with the worker killed between the answer and the call, and after the call. */
const QUEUE = 'grants';
const AUTHORITY: Authority = { project: 'acme', role: BUILT_IN_ROLES.executor, authorised: [] };

let scratch: Scratch;
let workers: BoundaryWorkers;

beforeAll(async () => {
  scratch = await Scratch.make();
  scratch.write('pipelines/publish.yaml', 'name: publish\nsteps:\n  - {id: publish, agent: publisher}\n');
  scratch.write('pipelines/agents/publisher.yaml', 'role: You publish.\ntools: [run]\n');
  const calls = [{ tool: 'run', args: { argv: ['sh', '-c', `echo made >> '${scratch.path('made')}'`] } }];
  scratch.write('pipelines/scripts/publish.yaml', JSON.stringify({ replies: { publish: [{ calls, text: 'It is out.' }] } }));
  workers = await BoundaryWorkers.in(
    scratch,
    { workflowBundle: { codePath: workflowsForBrief() } },
    { address: await scratch.startServer({}), namespace: 'default' },
  );
}, SET_UP_MS);

afterAll(() => workers.close());

/** The built workflows, in which every agent works for a brief. */
function workflowsForBrief(): string {
  const built = readFileSync(resolve(__dirname, '../../dist/workflow-bundle.js'), 'utf8');
  const begins = 'async function performAgent(it, place, record, ctx) {';
  expect(built.split(begins)).toHaveLength(2);
  return scratch.write(
    'briefs.js',
    built.replace(begins, `${begins}\nrecord.brief = { ...record.brief, authority: ${JSON.stringify(AUTHORITY)} };`),
  );
}

/** A worker that dies at a boundary, and whose work is given back. */
async function dyingAt(boundary: string, run: WorkflowHandle): Promise<void> {
  const { child, died } = await workers.start({ queue: QUEUE, boundaries: { [run.workflowId]: boundary } });
  expect(await died).toBe('SIGKILL');
  await giveBack(workers.client, [run], QUEUE, `${child.pid}@${QUEUE}`);
}

test(
  '`always` is asked once, written down once, and its call made once, whenever the worker is killed',
  async () => {
    const run = await workers.client.temporal.workflow.start('publish', {
      workflowId: 'publish-1',
      taskQueue: QUEUE,
      args: [{ script: 'publish' }],
    });
    const { child } = await workers.start({ queue: QUEUE });
    const gates = async () => (await run.query<RunView>('status')).gates;
    await until('a person is asked', async () => (await gates()).length === 1);
    expect(await gates()).toMatchObject([{ step: 'publish', choices: ['once', 'run', 'always', 'deny'] }]);
    child.kill('SIGKILL');
    await run.signal('respond', { step: 'publish', response: 'always', by: 'ann' });
    await dyingAt('before agent publish#1~1', run);
    const grants = new LastingGrantFiles(scratch.stateDir);
    expect([await grants.list(), scratch.lines('made')]).toEqual([[], []]);
    await dyingAt('after agent publish#1~1', run);
    expect(await grants.inForce('acme')).toEqual(['shell_exec']);
    await workers.start({ queue: QUEUE });
    expect(((await run.result()) as RunResult).status).toBe('completed');
    expect(scratch.lines('made')).toEqual(['made']);
    expect(scratch.lines(join('.thermidor', 'grants', 'acme.jsonl'))).toHaveLength(1);
    const { entries } = await run.query<JournalView>('journal');
    expect(entries.filter(({ kind }) => kind === 'grant' || kind === 'decision')).toMatchObject([
      { kind: 'decision', decision: { choice: 'always', by: 'ann' } },
      { kind: 'grant', event: 'always', project: 'acme', categories: ['shell_exec'], by: 'ann' },
    ]);
  },
  SET_UP_MS,
);
