import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import type { JournalView } from '../../plan/run/journal';
import type { RunResult } from '../../plan/run/run-result';
import type { RunView } from '../../plan/run/status';
import { LastingGrantFiles } from '../../records/directory/lasting-grant-files';
import { inSweep } from '../support/sweep';
import { BoundaryWorkers } from './support/boundary-workers';
import { giveBack } from './support/give-back';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** An answer to an agent's call, on a real server, with the worker killed between the answer and the call, and after the call. */
const QUEUE = 'grants';
const AGENT = 'publish[1]/publish_agent';

let scratch: Scratch;
let workers: BoundaryWorkers;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  const brief = { project: 'acme', mode: 'auto', roles: [], objective: 'It is out.', deliverables: ['It.'], constraints: 'None.' };
  scratch.write('pipelines/publish.yaml', JSON.stringify({ name: 'publish', steps: [{ id: 'publish', brief }] }));
  const made = `echo made >> '${scratch.path('made')}'`;
  const waiting = `while [ ! -e '${scratch.path('go')}' ]; do sleep 0.02; done`;
  script('publish', [made]);
  script('publish-twice', [`${made}; ${waiting}`, made]);
  workers = await BoundaryWorkers.in(scratch);
}, SET_UP_MS);

afterAll(() => workers.close());

/** Its agent runs each of the programs, one after the other. */
function script(name: string, programs: readonly string[]): void {
  const calls = programs.map((program) => ({ tool: 'run', args: { argv: ['sh', '-c', program] } }));
  scratch.write(`pipelines/scripts/${name}.yaml`, JSON.stringify({ replies: { publish_agent: [{ calls, text: 'It is out.' }] } }));
}

const start = (workflowId: string, script: string): Promise<WorkflowHandle> =>
  workers.client.temporal.workflow.start('publish', { workflowId, taskQueue: QUEUE, args: [{ script }] });

const untilAsked = (run: WorkflowHandle) =>
  until('a person is asked', async () => (await run.query<RunView>('status')).gates.some(({ step }) => step === AGENT));

/** A worker that dies at a boundary, and whose work is given back. */
async function dyingAt(boundary: string, run: WorkflowHandle): Promise<void> {
  const { child, died } = await workers.start({ queue: QUEUE, boundaries: { [run.workflowId]: boundary } });
  expect(await died).toBe('SIGKILL');
  await giveBack(workers.client, [run], QUEUE, `${child.pid}@${QUEUE}`);
}

inSweep.test(
  '`always` is asked once, written down once, and its call made once, whenever the worker is killed',
  async () => {
    const run = await start('publish-1', 'publish');
    const { child } = await workers.start({ queue: QUEUE });
    await untilAsked(run);
    expect((await run.query<RunView>('status')).gates).toMatchObject([{ step: AGENT, choices: ['once', 'run', 'always', 'deny'] }]);
    child.kill('SIGKILL');
    await run.signal('respond', { step: AGENT, response: 'always', by: 'ann' });
    await dyingAt(`before agent ${AGENT}#1~1`, run);
    const grants = new LastingGrantFiles(scratch.stateDir);
    expect([await grants.list(), scratch.lines('made')]).toEqual([[], []]);
    await dyingAt(`after agent ${AGENT}#1~1`, run);
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

test(
  'it covers a later run of the project, until somebody revokes it: then the next call of the run in progress is asked about',
  async () => {
    const grants = new LastingGrantFiles(scratch.stateDir);
    await grants.add({ id: 'of-an-earlier-run', project: 'acme', categories: ['shell_exec'], at: '2026-01-01T00:00:00Z', run: 'earlier' });
    const made = () => scratch.lines('made').length;
    const before = made();
    await workers.start({ queue: QUEUE });
    const run = await start('publish-2', 'publish-twice');
    await until('its first program runs', () => made() === before + 1);
    expect(await scratch.ask('grant', 'revoke', 'acme', 'shell_exec', '--by', 'ann')).toMatchObject({ code: 0 });
    scratch.write('go', '');
    await untilAsked(run);
    expect(made()).toBe(before + 1);
    await run.signal('respond', { step: AGENT, response: 'deny', by: 'ann' });
    expect(((await run.result()) as RunResult).status).toBe('completed');
    expect([made(), await grants.inForce('acme')]).toEqual([before + 1, []]);
    const { entries } = await run.query<JournalView>('journal');
    expect(entries.filter(({ kind }) => kind === 'grant')).toMatchObject([{ event: 'deny', categories: ['shell_exec'], by: 'ann' }]);
  },
  SET_UP_MS,
);
