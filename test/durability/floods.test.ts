import { inSweep } from '../support/sweep';
import { BoundaryWorkers } from './support/boundary-workers';
import { journal } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** Floods of signals on the real server, some for each of its limits: those of a task, and those of an execution. */
/** More than two executions take. */
const MANY = 1100;
const FEWER = 500;
const TEST_MS = 600_000;

let scratch: Scratch;
let workers: BoundaryWorkers;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  const steps = [
    { id: 'ask', type: 'approval', prompt: 'Release?', approvers: ['ann', 'bob'], quorum: 2 },
    { id: 'next', command: 'echo released' },
  ];
  scratch.write('pipelines/flooded.yaml', JSON.stringify({ name: 'flooded', steps }));
  const go = scratch.path('go');
  const use = { id: 'use', command: 'echo used' };
  const streamed = {
    name: 'streamed',
    schemas: { 'Item.json': { type: 'object' } },
    steps: [
      { id: 'make', run: `while [ ! -e ${go} ]; do sleep 0.1; done`, emits: 'Item.json', max_waiting: 100 },
      { id: 'each', for_each: { stream: 'make', key: 'id' }, steps: [use] },
      { id: 'ask', type: 'approval', approvers: ['ann'] },
    ],
  };
  scratch.write('pipelines/streamed.yaml', JSON.stringify(streamed));
  workers = await BoundaryWorkers.in(scratch);
}, SET_UP_MS);
afterAll(() => workers.close());

const rubbish = (i: number): [string, unknown] => {
  const all: [string, unknown][] = [
    ['approve', { by: 'eve', step: 'nowhere' }],
    ['approve', 'x'.repeat(1000)],
    ['aprove', { by: 'ann' }],
    ['reject', { stepp: 1 }],
    ['approve', { by: 'ann', shown: 'deadbeef' }],
    ['approve', { by: 'ann' }],
  ];
  return all[i % all.length] ?? ['approve', {}];
};

/** Fifty at a time; none is refused by the server. */
async function flood(run: string, many: number): Promise<void> {
  const handle = workers.client.temporal.workflow.getHandle(run);
  for (let i = 0; i < many; i += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, k) => {
        const [name, payload] = rubbish(i + k);
        return handle.signal(name, payload);
      }),
    );
  }
}

/** Two hundred at a time, one burst after the other. */
async function burst(run: string, many: number, message: (i: number) => [string, unknown]): Promise<void> {
  const handle = workers.client.temporal.workflow.getHandle(run);
  for (let i = 0; i < many; i += 200) await Promise.all(Array.from({ length: 200 }, (_, k) => handle.signal(...message(i + k))));
}

/** Settles once the run asks. */
async function gateOf(run: string): Promise<void> {
  const handle = workers.client.temporal.workflow.getHandle(run);
  await until('the gate is open', async () => (await handle.query<unknown[]>('gates').catch(() => [])).length === 1);
}

/** The number of signals in the journal, which has no gaps in their numbering. */
async function journalled(run: string): Promise<number> {
  const entries = await journal(scratch, run);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1));
  return entries.filter(({ kind }) => kind === 'signal').length;
}

inSweep.test.each([
  ['update', MANY],
  ['signal', FEWER],
] as const)(
  'a run that is flooded takes the decision behind it by %s, and has journalled all',
  async (how, many) => {
    const run = `flooded-by-${how}`;
    const { child } = await workers.start({ queue: run });
    const handle = await workers.client.temporal.workflow.start('flooded', { taskQueue: run, workflowId: run, args: [] });
    // A decision that comes before its gate decides nothing.
    await gateOf(run);
    await flood(run, many);
    if (how === 'signal') await handle.signal('approve', { by: 'bob' });
    else await expect(handle.executeUpdate('approve', { args: [{ by: 'bob' }] })).resolves.toMatchObject({ outcome: 'applied' });
    await expect(handle.result()).resolves.toMatchObject({ status: 'completed' });
    expect(await journalled(run)).toBe(many + 1);
    expect((await handle.describe()).runId).not.toBe(handle.firstExecutionRunId);
    expect(child.exitCode).toBeNull();
  },
  TEST_MS,
);

inSweep.test(
  'items that come by the hundred while a run is at work are each recorded, and it goes on',
  async () => {
    const run = 'flooded-with-items';
    await workers.start({ queue: run });
    const handle = await workers.client.temporal.workflow.start('streamed', { taskQueue: run, workflowId: run, args: [] });
    await until('the step is at work', async () => {
      const { steps } = await handle.query<{ steps: { id: string; state: string }[] }>('status').catch(() => ({ steps: [] }));
      return steps.some(({ id, state }) => id === 'make' && state === 'running');
    });
    const many = 2000;
    await burst(run, many, (i) => ['emit', { step: 'make', item: { id: `x${i % 5}` }, by: 'eve' }]);
    await until('all are recorded', async () => (await journalled(run)) === many);
    scratch.write('go', '');
    await gateOf(run);
    await handle.signal('approve', { by: 'ann' });
    await expect(handle.result()).resolves.toMatchObject({ status: 'completed' });
    const entries = await journal(scratch, run);
    expect(entries.filter((entry) => entry.kind === 'signal' && entry.outcome === 'applied')).toHaveLength(many + 1);
  },
  TEST_MS,
);

const forged = { channel: 'slack', at: '2999-01-01T00:00:00.000Z', mac: '0'.repeat(64) };
inSweep.test.each<[string, [string, unknown]]>([
  ['seals', ['approve', { step: 'ask', by: 'ann', proof: forged }]],
  ['votes', ['approve', { step: 'ask', by: 'ann' }]],
  ['wakes of children', ['thermidor:child', { step: 'ask#1~1' }]],
  ['wakes of agents', ['thermidor:spawned', { step: 'ask#1~1' }]],
])(
  'a run takes the decision behind bursts of %s',
  async (what, message) => {
    const run = `burst-of-${what.replaceAll(' ', '-')}`;
    await workers.start({ queue: run });
    const handle = await workers.client.temporal.workflow.start('flooded', { taskQueue: run, workflowId: run, args: [] });
    await gateOf(run);
    await burst(run, 2000, () => message);
    if (what !== 'votes') await handle.signal('approve', { by: 'ann' });
    await handle.signal('approve', { by: 'bob' });
    await expect(handle.result()).resolves.toMatchObject({ status: 'completed' });
  },
  TEST_MS,
);

inSweep.test(
  'a run that was flooded while no worker was there opens, and takes the decision after the flood',
  async () => {
    const run = 'flooded-alone';
    const handle = await workers.client.temporal.workflow.start('flooded', { taskQueue: run, workflowId: run, args: [] });
    await flood(run, FEWER);
    const { child } = await workers.start({ queue: run });
    // All of the flood is early: the gate opens after it.
    await gateOf(run);
    for (const by of ['ann', 'bob']) await handle.executeUpdate('approve', { args: [{ by }] });
    await expect(handle.result()).resolves.toMatchObject({ status: 'completed' });
    expect(await journalled(run)).toBe(FEWER + 2);
    expect(child.exitCode).toBeNull();
  },
  TEST_MS,
);
