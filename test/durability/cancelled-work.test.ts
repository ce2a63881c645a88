import { TASK_QUEUE } from '../../plan/run/contract';
import type { RunView } from '../../plan/run/status';
import { inSweep } from '../support/sweep';
import { BoundaryWorkers } from './support/boundary-workers';
import { step, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';

/** A worker is killed when a command is done and only the ledger knows; the run ends before another worker is there. */
const RUNS = ['cancelled', 'terminated'] as const;
type Name = (typeof RUNS)[number];

let scratch: Scratch;
let workers: BoundaryWorkers;

beforeAll(async () => {
  scratch = await Scratch.make();
  workers = await BoundaryWorkers.in(scratch, {}, { address: await scratch.keepServer(), namespace: 'default' });
  for (const run of RUNS) {
    const branches = ['left', 'right'].map((id) => command(run, id, '      '));
    const steps = `  - id: both\n    parallel:\n      branches:\n${branches.join('')}${command(run, 'ship')}`;
    scratch.write(`pipelines/${run}.yaml`, `name: ${run}\nsteps:\n${steps}`);
  }
}, SET_UP_MS);

afterAll(() => workers.close());

/** Leaves its name in a file that no ledger knows of. */
function command(run: Name, id: string, indent = ''): string {
  return `${indent}  - id: ${id}\n${indent}    run: "echo ${id} >> '${scratch.path(run)}'"\n`;
}

const states = (view: RunView, ...ids: string[]): string[] => ids.map((id) => step(view, id).state);
const done = (): string[][] => RUNS.map((run) => scratch.lines(run).sort());

inSweep.test('what the ledger has is shown as done, and no rerun does it again', async () => {
  const boundary = 'after command both[1]/right#1~1';
  const { died } = await workers.start({ queue: TASK_QUEUE, boundaries: { cancelled: boundary, terminated: boundary } });
  const [cancelled, terminated] = await Promise.all(
    RUNS.map((run) => workers.client.temporal.workflow.start(run, { workflowId: run, taskQueue: TASK_QUEUE, args: [{}] })),
  );
  expect(await died).toBe('SIGKILL');
  await cancelled?.cancel();
  // No workflow task delivers it any more, and the run can be read all the same.
  await terminated?.signal('pause', { by: 'ops' });
  await terminated?.terminate('enough');
  expect(done()).toEqual(Array(2).fill(['left', 'right']));

  expect(await scratch.ask('watch', 'cancelled')).toMatchObject({ code: 1 });
  for (const run of RUNS) {
    const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'cancelled' || state === 'failed');
    expect(states(view, 'left', 'right', 'ship')).toEqual(['done', 'done', 'pending']);
    // Without --from it begins at the steps that are not done.
    expect(await scratch.ask('rerun', run)).toMatchObject({ code: 0 });
  }
  expect(done()).toEqual(Array(2).fill(['left', 'right', 'ship']));
});
