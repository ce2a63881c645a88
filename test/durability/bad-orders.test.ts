import { openRecords } from '../../records/open-records';
import { untilStatus } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** Orders for runs that cannot carry them out, or that do not exist: each is refused with a code, and nothing changes. */
const GATE = (name: string, more = ''): string => `name: ${name}\nsteps:\n  - id: gate\n    type: approval\n${more}`;
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  scratch.write('pipelines/gate.yaml', GATE('gate'));
  scratch.write('pipelines/guarded.yaml', GATE('guarded', '    approvers: [chairman, cfo]\n'));
  // Answers for every run, so that each order costs one small process.
  await scratch.follow('up').untilLine(/server/);
}, SET_UP_MS);
afterAll(() => scratch.close());

async function started(pipeline: string, id: string): Promise<string> {
  expect(await scratch.ask('run', pipeline, '--id', id, '--detach')).toMatchObject({ code: 0 });
  await untilStatus(scratch, id, 'the gate is open', ({ gates }) => gates.length === 1);
  return id;
}

async function refused(...args: string[]): Promise<{ exit: number; code: string; message: string; hint?: string; details?: unknown }> {
  const finished = await scratch.ask(...args, '--json');
  const { error } = readJson<{ error: { exit: number; code: string; message: string } }>(finished, args);
  expect(finished.code).toBe(error.exit);
  return error;
}

test('a run that does not exist', async () => {
  for (const command of ['status', 'approve', 'watch', 'cancel']) {
    expect(await refused(command, 'nobody')).toMatchObject({ exit: 1, code: 'run.not-found', message: expect.stringContaining('nobody') });
  }
});

test('a beginning that several runs share is refused with the candidates', async () => {
  await Promise.all([started('gate', 'twin-one'), started('gate', 'twin-two')]);
  await until('both are listed', async () => (await refused('status', 'twin-')).code === 'run.ambiguous');
  expect(await refused('approve', 'twin-')).toMatchObject({
    exit: 2,
    details: { candidates: expect.arrayContaining(['twin-one', 'twin-two']) },
  });
});

test('an id that a run has already', async () => {
  await started('gate', 'first');
  expect(await refused('run', 'gate', '--id', 'first')).toMatchObject({ exit: 2, code: 'run.exists' });
});

test('an approval for a run that has ended', async () => {
  await started('gate', 'over');
  const both = await Promise.all(['a', 'b'].map((by) => scratch.follow('approve', 'over', '--by', by).finished));
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(await refused('approve', 'over', '--by', 'chairman')).toMatchObject({ exit: 1, code: 'run.ended' });
});

test('an approval by someone who may not, and one for a step that asks nobody', async () => {
  await started('guarded', 'guarded');
  expect(await refused('approve', 'guarded', '--by', 'intern')).toMatchObject({ exit: 1, code: 'signal.refused' });
  expect(await refused('approve', 'guarded', 'nothing', '--by', 'cfo')).toMatchObject({ exit: 1, code: 'signal.refused' });
  expect(await scratch.ask('approve', 'guarded', '--by', 'cfo')).toMatchObject({ code: 0 });
});

test('a run whose plan a later version has frozen is left to a worker of that version, and holds up no other', async () => {
  const { control } = openRecords({ stateDir: scratch.stateDir });
  const plan = await control.put(
    'plan',
    JSON.stringify({ irVersion: 99, name: 'later', block: { order: 'sequence', steps: [] } }),
    'later.plan.json',
  );
  const { address } = scratch.place;
  const input = JSON.stringify({ plan });
  const at = ['-w', 'later', '--address', address];
  const begun = await scratch.temporal('workflow', 'start', ...at, '--task-queue', 'thermidor', '--type', 'later', '-i', input);
  expect(begun).toMatchObject({ code: 0 });
  const why = await until('a worker has left it', async () => {
    const { reasons } = await scratch.json<{ reasons: { kind: string; text: string }[] }>('why', 'later');
    return reasons.find(({ kind }) => kind === 'no-worker');
  });
  expect(why).toMatchObject({ text: expect.stringMatching(/needs a worker whose language has version 99/) });
  await started('gate', 'beside-later');
  expect(readJson(await scratch.temporal('workflow', 'describe', ...at, '-o', 'json'))).toMatchObject({
    workflowExecutionInfo: { status: 'WORKFLOW_EXECUTION_STATUS_RUNNING' },
  });
  // Its history is for workers of the later version: none of this one replays it.
  expect(await scratch.temporal('workflow', 'delete', '--yes', ...at)).toMatchObject({ code: 0 });
  await until('it is deleted', async () => {
    const listed = await scratch.temporal('workflow', 'list', '--address', address, '--query', "WorkflowId = 'later'", '-o', 'json');
    return listed.code === 0 && readJson<unknown[]>(listed).length === 0;
  });
});
