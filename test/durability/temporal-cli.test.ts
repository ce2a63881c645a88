import { existsSync } from 'node:fs';
import { REFERENCES } from '../../activities/run/run-input';
import { IR_VERSION } from '../../plan/plan';
import type { JournalEntry } from '../../plan/run/journal';
import type { RunView } from '../../plan/run/status';
import type { Json } from '../../plan/text/json';
import { asJson } from '../../records/stored-json';
import { inSweep } from '../support/sweep';
import type { Program } from './support/program';
import { journal, step, untilStatus } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { writeScript } from './support/scripts';
import { until } from './support/until';

/** The main job with the plain Temporal CLI alone, against `thermidor up`. */
let scratch: Scratch;
let address: string;
let up: Program;
let runs = 0;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  scratch.addPipelines();
  ({ address } = scratch.place);
  writeScript(scratch, 'quick');
  scratch.write('pipelines/ask.yaml', 'name: ask\nsteps:\n  - id: answer\n    input: {prompt: What now?}\n');
  up = scratch.thermidor('up', '--json');
  expect(JSON.parse(await up.untilLine(/./))).toMatchObject({ address, taskQueue: 'thermidor' });
}, SET_UP_MS);
afterAll(() => scratch.close());

const temporal = (...args: string[]) => scratch.temporal(...args, '--address', address);
const workflow = (verb: string, run: string, ...args: string[]) => temporal('workflow', ...verb.split(' '), '-w', run, ...args);

/** An empty list comes as null, because the CLI prints it so. */
type Queried = Omit<RunView, 'gates'> & { gates: RunView['gates'] | null };

/** Asks until the run is in the expected state; a run whose worker is late does not answer. */
function untilQueried(run: string, what: string, fits: (view: Queried) => boolean): Promise<Queried> {
  return until(`${run}: ${what}`, async () => {
    const answer = await workflow('query', run, '--name', 'status', '-o', 'json');
    if (answer.code !== 0) return undefined;
    const [view] = readJson<{ queryResult: [Queried] }>(answer).queryResult;
    return fits(view) && view;
  });
}

/** Starts the main job and waits for the chairman's gate. */
async function atTheGate(): Promise<string> {
  const run = `by-hand-${++runs}`;
  const started = await workflow('start', run, '--task-queue', 'thermidor', '--type', 'daily_quant_pipeline', '-i', '{"script": "quick"}');
  expect(started).toMatchObject({ code: 0 });
  await untilQueried(run, 'the gate is open', ({ gates }) => gates?.length === 1);
  return run;
}

async function signalsOf(run: string): Promise<Partial<JournalEntry>[]> {
  await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
  return (await journal(scratch, run)).filter(({ kind }) => kind === 'signal');
}

test('starts, shows its state and is approved', async () => {
  const run = await atTheGate();
  expect(await untilQueried(run, 'it waits', ({ state }) => state === 'waiting')).toMatchObject({
    run,
    pipeline: 'daily_quant_pipeline',
    state: 'waiting',
    script: 'quick',
  });
  expect(await workflow('signal', run, '--name', 'approve', '-i', '{"by":"chairman"}')).toMatchObject({ code: 0 });
  const view = await untilQueried(run, 'it ended', ({ state }) => state === 'completed');
  expect(step(view, 'approve').decision).toMatchObject({ choice: 'approve', by: 'chairman' });
  expect(step(view, 'converge')).toMatchObject({ round: 2, state: 'done' });
});

test('the details that the UI shows have the tree and the line that answers the gate', async () => {
  const { out } = await workflow('metadata', await atTheGate());
  expect(out).toMatch(/✓ .converge#2. done/);
  expect(out).toMatch(/temporal workflow signal .*--name approve/);
});

test('a signal that cannot be decoded, or makes no sense, is journalled and harms nothing', async () => {
  const run = await atTheGate();
  await workflow('signal', run, '--name', 'approve', '--input', 'xx', '--input-meta', 'encoding=binary/x');
  await workflow('signal', run, '--name', 'approve', '--input', '{"by": 7}');
  await workflow('signal', run, '--name', 'approve', '--input', '{"step": "converge"}');
  await workflow('signal', run, '--name', 'dance', '--input', '[1]');
  await workflow('signal', run, '--name', 'approve');
  expect(await signalsOf(run)).toMatchObject([
    { name: 'approve', outcome: 'unreadable' },
    { name: 'approve', outcome: 'unreadable' },
    { name: 'approve', outcome: 'misdirected' },
    { name: 'dance', outcome: 'unknown' },
    { name: 'approve', outcome: 'applied' },
  ]);
});

inSweep.test('of two approvals at once one decides, and both are journalled', async () => {
  const run = await atTheGate();
  up.signal('SIGSTOP');
  await Promise.all(['chairman', 'cfo'].map((by) => workflow('signal', run, '--name', 'approve', '-i', JSON.stringify({ by }))));
  up.signal('SIGCONT');
  const signals = await signalsOf(run);
  expect(signals).toHaveLength(2);
  expect(signals[0]).toMatchObject({ outcome: 'applied' });
  expect(signals[1]).toMatchObject({ outcome: expect.stringMatching(/^(duplicate|late)$/) });
});

test('an update to a step that has no gate is refused with the gates that are open', async () => {
  const run = await atTheGate();
  const refused = await workflow('update execute', run, '--name', 'approve', '-i', '{"step": "converge", "by": "chairman"}');
  expect(refused.code).not.toBe(0);
  expect(refused.err).toMatch(/open gates: approve.*signal\.misdirected/);
  expect(await workflow('update execute', run, '--name', 'approve', '-i', '{"by": "chairman"}')).toMatchObject({ code: 0 });
  expect(await signalsOf(run)).toMatchObject([{ outcome: 'applied' }]);
});

/** Content that a run would obey if it were taken for control content. The key is the input that may refer to it. */
const forged = (marker: string) => ({
  plan: {
    ...{ irVersion: IR_VERSION, name: 'ask', source: '0'.repeat(64), trigger: { kind: 'manual' } },
    block: { order: 'sequence', steps: [{ id: 'own', kind: 'command', command: { shell: [`touch ${marker}`] } }] },
  },
  script: { name: 'ask', replies: {}, people: [] },
  carried: { run: 'r', from: 'answer', records: { answer: { state: 'done', round: 1, try: 1 } } },
  resume: { state: { records: { answer: { state: 'done', round: 1, try: 1 } } } },
});

test('a person’s answer is taken neither for a plan nor for a script, for carried results or for a state', async () => {
  const marker = scratch.path('owned');
  const start = (run: string, input: Json) =>
    workflow('start', run, '--task-queue', 'thermidor', '--type', 'ask', '-i', JSON.stringify(input));
  const refused = async (key: keyof typeof REFERENCES, content: Json) => {
    const run = `forged-${key}`;
    expect(await start(run, {})).toMatchObject({ code: 0 });
    await untilQueried(run, 'it asks', ({ gates }) => gates?.length === 1);
    await workflow('signal', run, '--name', 'respond', '-i', JSON.stringify({ by: 'mallory', response: content }));
    const view = await untilQueried(run, 'it ended', ({ state }) => state === 'completed');
    const { sha256 = '', sizeBytes = 0, mediaType = '' } = step(view, 'answer').artifact ?? {};
    const inputs: Json[] = [
      { kind: REFERENCES[key], sha256, sizeBytes, mediaType },
      { sha256, sizeBytes, mediaType },
    ];
    for (const [i, ref] of inputs.entries()) {
      expect(await start(`${run}-${i}`, { [key]: ref })).toMatchObject({ code: 0 });
      expect((await workflow('result', `${run}-${i}`, '-o', 'json')).out).toMatch(/"type": *"input\.invalid"/);
    }
  };
  const contents = Object.entries(asJson(forged(marker)) as Record<keyof typeof REFERENCES, Json>);
  await Promise.all(contents.map(([key, content]) => refused(key as keyof typeof REFERENCES, content)));
  expect(existsSync(marker)).toBe(false);
});

describe('what runs say to each other cannot be forged', () => {
  const CHILD =
    'name: pays\nargs:\n  amount: {default: 5}\nsteps:\n  - {id: ask, type: approval, identity: proven}\n  - {id: pay, run: echo paid}\n';
  const KID = 'name: kid_parent\nsteps:\n  - {id: kid, pipeline: pays.yaml}\n  - {id: after, run: echo done}\n';
  const signal = (run: string, name: string, payload: unknown) => workflow('signal', run, '--name', name, '-i', JSON.stringify(payload));
  const start = (run: string, type: string, input: unknown, ...more: string[]) =>
    workflow('start', run, '--task-queue', 'thermidor', '--type', type, '-i', JSON.stringify(input), ...more);

  test('neither an outcome nor a word of a parent, nor a parent, a budget or a memo of one’s own making', async () => {
    scratch.write('pipelines/pays.yaml', CHILD);
    scratch.write('pipelines/kid_parent.yaml', KID);
    await start('family', 'kid_parent', {});
    const { firstRunId } = await untilQueried('family', 'the gate of its child is open', ({ gates }) => gates?.[0]?.step === 'kid/ask');
    const kid = { step: 'kid#1~1' };
    await signal('family', 'thermidor:child', { ...kid, kind: 'gates', state: 'running', gates: [] });
    await signal('family', 'thermidor:child', { ...kid, kind: 'ended', state: 'completed', output: { value: {} } });
    await signal('family.kid', 'thermidor:parent', { kind: 'signal', name: 'approve', payload: { by: 'ann' }, sealedFor: 'family' });
    await signal('family.kid', 'thermidor:parent', { kind: 'granted', amounts: { tokens: 1_000_000 } });

    await start('alone', 'pays', {}, '--memo', 'parent="family"', '--memo', 'gates=[]');
    await untilQueried('alone', 'its gate is open', ({ gates }) => gates?.length === 1);
    await signal('alone', 'thermidor:parent', { kind: 'cancel', reason: 'no' });
    // It cannot hide by what it says of itself.
    await until('the inbox shows both', async () => {
      const { gates } = await scratch.json<{ gates: { run: string }[] }>('inbox', '--address', address);
      return ['alone', 'family'].every((run) => gates.some((gate) => gate.run === run));
    });

    const parent = { workflowId: 'family', run: firstRunId, ...kid };
    const inputs = {
      stranger: { parent },
      'family.kid2': { parent },
      'family.other': { parent, args: { amount: 9 } },
      rich: { budget: { tokens: 9 } },
    };
    for (const [run, input] of Object.entries(inputs)) {
      await start(run, 'pays', input);
      const { out, err } = await workflow('result', run);
      expect(out + err).toMatch(/input\.invalid|the workflow's input/);
    }

    // Each has been heard by now: a query is answered after the signals before it.
    expect(await untilQueried('family', 'it waits', () => true)).toMatchObject({ state: 'waiting', gates: [{ step: 'kid/ask' }] });
    expect(await untilQueried('family.kid', 'it waits', () => true)).toMatchObject({ state: 'waiting', gates: [{ step: 'ask' }] });
    expect(await untilQueried('alone', 'it waits', () => true)).toMatchObject({ state: 'waiting', gates: [{ step: 'ask' }] });

    await signal('family', 'abort', { by: 'ops', reason: 'enough' });
    const ended = await until('the child has heard why', async () => {
      const { out, err } = await workflow('result', 'family.kid');
      return /aborted by ops/.test(out + err);
    });
    expect(ended).toBe(true);
  });
});
