import { existsSync } from 'node:fs';
import { scriptBeside } from '../../worker/script-files';
import { MESSAGES } from '../support/messages-server/dialect';
import { replyFromScript } from '../support/model-server/from-script';
import { inSweep } from '../support/sweep';
import { type LiveScratch, liveScratch } from './agents/service';
import type { Running } from './support/running';
import { MAIN_JOB, MAIN_JOB_REQUESTS, requests, runOf, step, timesRequested, untilStatus } from './support/runs';
import { type Scratch, SET_UP_MS } from './support/scratch';
import { writeScript } from './support/scripts';
import { until } from './support/until';

/** kill -9 of the process that works on a run, wherever the run is; the next command continues with it. */
let live: LiveScratch;
let scratch: Scratch;
let address: string;

beforeAll(async () => {
  live = await liveScratch();
  scratch = live.scratch;
  scratch.addPipelines();
  address = await scratch.keepServer();
  writeScript(scratch, 'quick', { people: [] });
}, SET_UP_MS);
afterAll(() => live.close());

/** Approves and waits for the end of the command that watches. */
async function approveAndEnd(run: string, watching: Running): Promise<void> {
  await watching.untilLine(/approve +waiting/);
  expect(await scratch.ask('approve', run, '--by', 'chairman')).toMatchObject({ code: 0 });
  expect(await watching.finished).toMatchObject({ code: 0 });
}

/** The main job, whose worker is killed while the first request for this step's round is awaited: no answer to it arrives. */
async function killedAt(round: string): Promise<string> {
  const reply = replyFromScript(scriptBeside(scratch.path(MAIN_JOB), 'quick').script, MESSAGES.voice);
  let awaited = false;
  live.serve((request) => {
    if (awaited || !request.idempotencyKey.includes(`/${round}~`)) return reply(request);
    awaited = true;
    return { kind: 'silence' };
  });
  const worker = scratch.thermidor('run', MAIN_JOB, '--live');
  const run = await runOf(worker);
  await worker.until(`a reply for ${round} is awaited`, () => awaited);
  await worker.kill();
  return run;
}

inSweep.test('in an agent step: only the request in flight is made again, under the same idempotency key', async () => {
  const run = await killedAt('structure#1');
  await approveAndEnd(run, scratch.follow('watch', run));
  expect(timesRequested(scratch, run)).toEqual({ ...MAIN_JOB_REQUESTS, 'structure#1~1/1': 2 });
  const keys = requests(scratch, run).flatMap(({ address, idempotencyKey }) => (address === 'structure#1~1' ? idempotencyKey : []));
  expect(new Set(keys).size).toBe(1);
});

inSweep.test('in a revise round: nothing that was recorded is asked for again', async () => {
  const run = await killedAt('converge#2');
  const view = await untilStatus(scratch, run, 'it answers where nobody works on it', () => true);
  expect(step(view, 'converge')).toMatchObject({ round: 2, state: 'running', superseded: [{ round: 1 }] });
  await approveAndEnd(run, scratch.follow('watch', run));
  expect(timesRequested(scratch, run)).toEqual({ ...MAIN_JOB_REQUESTS, 'converge#2~1/1': 2 });
});

test('in a gate: the gate stays open, and the decision ends the run', async () => {
  const started = await scratch.ask('run', MAIN_JOB, '--script', 'quick');
  expect(started.code).toBe(3);
  const run = started.out.split(' ')[0] ?? '';
  const watching = scratch.thermidor('watch', run);
  await watching.untilLine(/approve +waiting/);
  await watching.kill();
  expect(await scratch.ask('approve', run, '--by', 'chairman')).toMatchObject({ code: 0 });
  const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
  expect(step(view, 'approve').decision).toMatchObject({ choice: 'approve', by: 'chairman' });
  expect(timesRequested(scratch, run)).toEqual(MAIN_JOB_REQUESTS);
});

// Printed lines are followed across the kill, too.
test('in a command: each command ran once, the one in flight at most twice', async () => {
  const line = (name: string): string => `echo ${name} | tee -a '${scratch.path('lines')}'`;
  const wait = `; while [ ! -e '${scratch.path('go')}' ]; do sleep 0.02; done`;
  const steps = ['one', 'two', 'three', 'four'].map((name) => `  - id: ${name}\n    run: "${line(name)}${name === 'three' ? wait : ''}"\n`);
  scratch.write('pipelines/lines.yaml', `name: lines\nsteps:\n${steps.join('')}`);
  const worker = scratch.thermidor('run', 'lines');
  const run = await runOf(worker);
  const following = scratch.follow('logs', run, '--follow');
  await following.untilLine(/three +three/);
  await worker.kill();
  const watching = scratch.follow('watch', run);
  await until('the third command runs again', () => scratch.lines('lines').length === 4);
  scratch.write('go', '');
  expect(await watching.finished).toMatchObject({ code: 0 });
  expect(scratch.lines('lines')).toEqual(['one', 'two', 'three', 'three', 'four']);
  const followed = await following.finished;
  expect(followed).toMatchObject({ code: 0 });
  expect(followed.out.match(/(?<=^\S+ +)\w+ .*$/gm)).toEqual([
    'one  one',
    'two  two',
    'three  three',
    'three  -- goes on, attempt 2',
    'three  three',
    'four  four',
  ]);
});

inSweep.test('CP-11 · worker killed · in the middle of emitting: no item is lost, and none is taken up twice', async () => {
  const emit = (ids: string): string => `for i in ${ids}; do echo "::item:: {\\"id\\": \\"i$i\\"}"; done`;
  scratch.write(
    'pipelines/items.yaml',
    `name: items
schemas: {Item.json: {type: object, required: [id]}}
steps:
  - id: make
    emits: Item.json
    run: |
      ${emit('1 2 3')}
      while [ ! -e '${scratch.path('more')}' ]; do sleep 0.02; done
      ${emit('4 5')}
  - id: each
    for_each: {stream: make, key: id}
    steps: [{id: use, run: "echo \${item.id} >> '${scratch.path('used')}'"}]
`,
  );
  const worker = scratch.thermidor('run', 'items');
  const run = await runOf(worker);
  await untilStatus(scratch, run, 'three items are done', (view) => step(view, 'each').iterations?.done === 3);
  await worker.kill();
  scratch.write('more', '');
  // The command begins again, and prints all of it once more.
  expect(await scratch.follow('watch', run).finished).toMatchObject({ code: 0 });
  expect(scratch.lines('used')).toEqual(['i1', 'i2', 'i3', 'i4', 'i5']);
});

inSweep.test('a worker of a configured server: the next one of this machine gives back at once what it had in progress', async () => {
  const on = ['--address', address, '--task-queue', 'elsewhere'];
  scratch.write('pipelines/held.yaml', `name: held\nsteps:\n  - {id: wait, run: "echo $$ >> '${scratch.path('held')}'; sleep 60"}\n`);
  const first = scratch.thermidor('worker', ...on);
  const started = await scratch.ask('run', 'held', '--detach', ...on);
  const run = started.out.trim();
  await until('the command runs', () => scratch.lines('held').length === 1);
  await first.kill();
  const second = scratch.thermidor('worker', ...on);
  await until('the command runs again', () => scratch.lines('held').length === 2);
  const why = await scratch.ask('why', run, ...on);
  expect(why.out).toMatch(/attempt 2.*last failed with: worker stopped: thermidor-/);
  await second.kill();
});

inSweep.test('a worker that gets SIGTERM keeps to its grace, even if a command has ended whose items wait for room', async () => {
  const folder = scratch.within('graceful');
  folder.write('thermidor.yaml', `shutdown: {grace: 1s}\naddress: ${address}\ntask_queue: graceful\n`);
  folder.write(
    'pipelines/crowd.yaml',
    `name: crowd
schemas: {Item.json: {type: object, required: [id]}}
steps:
  - id: make
    emits: Item.json
    max_waiting: 2
    run: |
      for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "::item:: {\\"id\\": \\"i$i\\"}"; done
      touch made
  - id: each
    for_each: {stream: make, key: id}
    steps: [{id: use, run: "touch used; sleep 30"}]
`,
  );
  const worker = folder.thermidor('worker');
  expect(await folder.ask('run', 'crowd', '--id', 'crowd', '--detach')).toMatchObject({ code: 0 });
  await worker.until('the command has ended, and an item is worked on', () =>
    ['made', 'used'].every((name) => existsSync(folder.path(name))),
  );
  const toldAt = performance.now();
  worker.signal('SIGTERM');
  const { code, err } = await worker.finished;
  expect({ code, isInTime: performance.now() - toldAt < 6_000 }).toEqual({ code: 0, isInTime: true });
  expect(err).not.toMatch(/internal|this is a bug/);
});
