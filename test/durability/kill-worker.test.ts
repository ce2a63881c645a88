import type { Program } from './support/program';
import { MAIN_JOB, MAIN_JOB_REQUESTS, requests, runOf, step, timesRequested, untilRequested, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { writeScript } from './support/scripts';
import { until } from './support/until';

/** kill -9 of the process that works on a run, wherever the run is; the next command goes on with it. */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
  await scratch.keepServer();
  writeScript(scratch, 'slow', { delays: { structure: '900ms', converge: '900ms' }, people: [] });
  writeScript(scratch, 'quick', { people: [] });
}, SET_UP_MS);
afterAll(() => scratch.close());

/** Approves and waits for the end of whoever watches. */
async function approveAndEnd(run: string, watching: Program): Promise<void> {
  await watching.untilLine(/approve +waiting/);
  expect(await scratch.thermidor('approve', run, '--by', 'chairman').finished).toMatchObject({ code: 0 });
  expect(await watching.finished).toMatchObject({ code: 0 });
}

test('in an agent step: only the request in flight is made again, under the same idempotency key', async () => {
  const worker = scratch.thermidor('run', MAIN_JOB, '--script', 'slow');
  const run = await runOf(worker);
  await untilRequested(scratch, run, 'structure#1~1');
  await worker.kill();
  await approveAndEnd(run, scratch.thermidor('watch', run));
  expect(timesRequested(scratch, run)).toEqual({ ...MAIN_JOB_REQUESTS, 'structure#1~1/1': 2 });
  const keys = requests(scratch, run).flatMap(({ address, idempotencyKey }) => (address === 'structure#1~1' ? idempotencyKey : []));
  expect(new Set(keys).size).toBe(1);
});

test('in a revise round: nothing that was recorded is asked for again', async () => {
  const worker = scratch.thermidor('run', MAIN_JOB, '--script', 'slow');
  const run = await runOf(worker);
  await untilRequested(scratch, run, 'converge#2~1');
  await worker.kill();
  const view = await untilStatus(scratch, run, 'it answers where nobody works on it', () => true);
  expect(step(view, 'converge')).toMatchObject({ round: 2, state: 'running', superseded: [{ round: 1 }] });
  await approveAndEnd(run, scratch.thermidor('watch', run));
  expect(timesRequested(scratch, run)).toEqual({ ...MAIN_JOB_REQUESTS, 'converge#2~1/1': 2 });
});

test('in a gate: the gate stays open, and the decision ends the run', async () => {
  const started = await scratch.thermidor('run', MAIN_JOB, '--script', 'quick').finished;
  expect(started.code).toBe(3);
  const run = started.out.split(' ')[0] ?? '';
  const watching = scratch.thermidor('watch', run);
  await watching.untilLine(/approve +waiting/);
  await watching.kill();
  expect(await scratch.thermidor('approve', run, '--by', 'chairman').finished).toMatchObject({ code: 0 });
  const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
  expect(step(view, 'approve').decision).toMatchObject({ choice: 'approve', by: 'chairman' });
  expect(timesRequested(scratch, run)).toEqual(MAIN_JOB_REQUESTS);
});

test('in a command: each command ran once, the one in flight at most twice', async () => {
  const line = (name: string): string => `echo ${name} >> '${scratch.path('lines')}'`;
  const wait = `; while [ ! -e '${scratch.path('go')}' ]; do sleep 0.02; done`;
  const steps = ['one', 'two', 'three', 'four'].map((name) => `  - id: ${name}\n    run: "${line(name)}${name === 'three' ? wait : ''}"\n`);
  scratch.write('pipelines/lines.yaml', `name: lines\nsteps:\n${steps.join('')}`);
  const worker = scratch.thermidor('run', 'lines');
  const run = await runOf(worker);
  await until('the third command runs', () => scratch.lines('lines').includes('three'));
  await worker.kill();
  const watching = scratch.thermidor('watch', run);
  await until('the third command runs again', () => scratch.lines('lines').length === 4);
  scratch.write('go', '');
  expect(await watching.finished).toMatchObject({ code: 0 });
  expect(scratch.lines('lines')).toEqual(['one', 'two', 'three', 'three', 'four']);
});
