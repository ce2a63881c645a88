import type { WorkflowHandle } from '@temporalio/client';
import { seal } from '../../client/callbacks/signatures';
import type { GateView } from '../../plan/people/gate';
import { inSweep } from '../support/sweep';
import { BoundaryWorkers } from './support/boundary-workers';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/**
 * What wakes a run comes in bursts while somebody watches it: a query may complete a task in the middle of several local activities. Every
 * run ends, and replays: the scratch folder replays all of them when it closes.
 */
const MANY = 16;
const PEOPLE = ['ann', 'bob', 'cleo'];

let scratch: Scratch;
let workers: BoundaryWorkers;

const tokenOf = (person: string): string => person.repeat(10);
const each = <T>(make: (i: number) => T): T[] => Array.from({ length: MANY }, (_, i) => make(i));

beforeAll(async () => {
  const people: Record<string, { token: string }> = {};
  for (const person of PEOPLE) {
    process.env[`TOKEN_OF_${person.toUpperCase()}`] = tokenOf(person);
    people[person] = { token: `secret://env/TOKEN_OF_${person.toUpperCase()}` };
  }
  scratch = await Scratch.onSharedServer();
  const write = (name: string, steps: readonly object[], more: object = {}) =>
    scratch.write(`pipelines/${name}.yaml`, JSON.stringify({ name, ...more, steps }));
  write('child', [
    { id: 'ask', type: 'approval', approvers: ['ann'], timeout: '1s', on_timeout: 'approve' },
    { id: 'use', run: 'true' },
  ]);
  const branches = (make: (i: number) => object[]) => [
    { id: 'all', type: 'parallel', branches: each((i) => ({ id: `b${i}`, steps: make(i) })) },
  ];
  write(
    'children',
    branches((i) => [{ id: `child${i}`, pipeline: 'child.yaml' }]),
  );
  const emit = 'for i in 1 2 3 4; do echo "::item:: {\\"id\\": $i}"; sleep 0.05; done';
  write(
    'streams',
    branches((i) => [
      { id: `make${i}`, run: emit, emits: 'Item.json' },
      { id: `each${i}`, for_each: { stream: `make${i}`, key: 'id' }, max_concurrent: 4, steps: [{ id: `use${i}`, run: 'true' }] },
    ]),
    { schemas: { 'Item.json': { type: 'object' } } },
  );
  write(
    'proven',
    branches((i) => [
      { id: `ask${i}`, type: 'approval', approvers: PEOPLE, quorum: PEOPLE.length },
      { id: `use${i}`, run: 'true' },
    ]),
  );
  workers = await BoundaryWorkers.in(scratch, { directory: { people, groups: {} } });
}, SET_UP_MS);
afterAll(() => workers.close());

/** Starts a run, and asks for its journal again and again until it has ended. */
async function watched(name: string, drive?: (handle: WorkflowHandle) => Promise<void>): Promise<void> {
  await workers.start({ queue: name });
  const handle = await workers.client.temporal.workflow.start(name, { taskQueue: name, workflowId: name, args: [] });
  let isOver = false;
  const watching = each(async (i) => {
    while (i < 2 && !isOver) await handle.query('journal', { after: 0 }).catch(() => undefined);
  });
  await drive?.(handle);
  await expect(handle.result()).resolves.toMatchObject({ status: 'completed' });
  isOver = true;
  await Promise.all(watching);
}

inSweep.test('children that ask and end at once', () => watched('children'));

inSweep.test('producers that emit at once', () => watched('streams'));

inSweep.test('people who prove who they are at once', () =>
  watched('proven', async (handle) => {
    const gates = await until('all gates are open', async () => {
      const open = await handle.query<GateView[]>('gates').catch(() => []);
      return open.length === MANY && open;
    });
    const decide = async ({ step, shownSha256: shown }: GateView, by: string) => {
      const proof = seal(tokenOf(by), { run: 'proven', name: 'approve', step, by, shown }, 'console', new Date().toISOString());
      await handle.signal('approve', { step, by, shown, proof });
    };
    for (const gate of gates) await Promise.all(PEOPLE.map((by) => decide(gate, by)));
  }),
);
