import { identifyProcess } from '../../records/locks/process-identity';
import { inSweep } from '../support/sweep';
import { journal, MAIN_JOB, runOf, step, untilRequested, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { writeScript } from './support/scripts';
import { until } from './support/until';

/** Cancelling in mid-step. */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  scratch.addPipelines();
  writeScript(scratch, 'hanging', { replies: { structure: [{ hang: true }] } });
  scratch.follow('worker');
}, SET_UP_MS);
afterAll(() => scratch.close());

test('a command is ended with all that it started, and the run ends cancelled', async () => {
  scratch.write(
    'pipelines/sleeper.yaml',
    `name: sleeper\nsteps:\n  - id: sleep\n    run: "sleep 600 & echo $! > '${scratch.path('pid')}'; wait"\n`,
  );
  for (const [name, child] of [
    ['middle', 'sleeper'],
    ['top', 'middle'],
  ])
    scratch.write(`pipelines/${name}.yaml`, `name: ${name}\nsteps: [{id: inner, pipeline: ${child}.yaml}]\n`);
  const running = scratch.follow('run', 'top');
  const run = await runOf(running);
  const pid = await until('the command runs', () => Number(scratch.lines('pid')[0] ?? 0) || undefined);
  expect(identifyProcess(pid)).toBeDefined();
  expect(await scratch.ask('cancel', run, '--reason', 'wrong day', '--by', 'ops')).toMatchObject({ code: 0 });
  expect(await running.finished).toMatchObject({ code: 1, out: expect.stringMatching(/\bcancelled\n/) });
  // Its children, at every depth, are cancelled for the same reason as the run.
  for (const one of [run, `${run}.inner`, `${run}.inner.inner`]) {
    const reason = 'by ops: wrong day';
    expect(await untilStatus(scratch, one, 'it ended', ({ state }) => state === 'cancelled')).toMatchObject({ reason });
    expect((await journal(scratch, one)).findLast(({ kind }) => kind === 'run')).toMatchObject({ state: 'cancelled', reason });
    expect(await scratch.json('why', one)).toMatchObject({ reasons: [{ text: expect.stringContaining(reason) }] });
  }
  await until('the command is gone', () => identifyProcess(pid) === undefined);
});

inSweep.test('an agent is cancelled, and the run ends cancelled', async () => {
  const running = scratch.follow('run', MAIN_JOB, '--script', 'hanging');
  const run = await runOf(running);
  await untilRequested(scratch, run, 'structure#1~1');
  expect(await scratch.ask('cancel', run)).toMatchObject({ code: 0 });
  expect(await running.finished).toMatchObject({ code: 1 });
  const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'cancelled');
  expect(step(view, 'intel').state).toBe('done');
  expect(view.steps.filter(({ state }) => state === 'running')).toEqual([]);
});

inSweep.test('what ran before a chain of commands was cancelled is shown as done, and a rerun does not repeat it', async () => {
  const mark = (name: string): string => `echo ${name} >> '${scratch.path('marks')}'`;
  const waits = `${mark('three')}; while [ ! -e '${scratch.path('go-on')}' ]; do sleep 0.05; done`;
  const commands = { one: mark('one'), two: mark('two'), three: waits, four: mark('four') };
  const steps = Object.entries(commands).map(([name, line]) => `  - id: ${name}\n    run: "${line}"\n`);
  scratch.write('pipelines/chain.yaml', `name: chain\nsteps:\n${steps.join('')}`);
  const running = scratch.follow('run', 'chain', '--id', 'chained');
  await until('the third command runs', () => scratch.lines('marks').includes('three'));
  expect(await scratch.ask('cancel', 'chained')).toMatchObject({ code: 0 });
  expect(await running.finished).toMatchObject({ code: 1 });
  const view = await untilStatus(scratch, 'chained', 'it ended', ({ state }) => state === 'cancelled');
  expect(['one', 'two', 'three', 'four'].map((name) => step(view, name).state)).toEqual(['done', 'done', 'skipped', 'pending']);
  scratch.write('go-on', '');
  expect(await scratch.ask('rerun', 'chained', '--from', 'three')).toMatchObject({ code: 0 });
  expect(scratch.lines('marks')).toEqual(['one', 'two', 'three', 'three', 'four']);
});
