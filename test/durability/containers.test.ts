import { inSweep } from '../support/sweep';
import type { Running } from './support/running';
import { runOf, startDetached, step, untilStatus } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** Branches, loops, chains and child pipelines under kill -9: work that is done is not done again, at any depth. */
let scratch: Scratch;

/** Writes a line when it begins; under the held name it ends only once it is let go. */
const note = (name: string, held?: string): string =>
  `echo ${name} >> $NOTES/lines; ${held === undefined ? '' : `if [ ${name} = ${held} ]; then while [ ! -e $NOTES/go ]; do sleep 0.02; done; fi; `}echo "did ${name}"`;

beforeAll(async () => {
  scratch = await Scratch.make();
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(() => scratch.close());

/** The lines that the steps of a test have written, and the command that writes one. */
interface Notebook {
  env: string;
  lines(): string[];
  /** Lets held work continue. */
  go(): void;
}

function notebook(name: string): Notebook {
  scratch.write(`${name}/lines`, '');
  return {
    env: `env: {NOTES: ${scratch.path(name)}}`,
    lines: () => scratch.lines(`${name}/lines`),
    go: () => void scratch.write(`${name}/go`, ''),
  };
}

/** Another process takes over the run, and lets held work continue once that is running again. */
async function takeUp(run: string, again: () => boolean, notes: Notebook): Promise<Running> {
  const watching = scratch.follow('watch', run);
  await watching.until('what was under way is running again', again);
  notes.go();
  return watching;
}

inSweep.test('in a loop: iterations that are done stay done, and the one under way is done again', async () => {
  const notes = notebook('loop');
  scratch.write(
    'loop.yaml',
    `name: loop
${notes.env}
steps:
  - id: list
    run: echo '["a","b","c","d","e"]'
  - id: each
    for_each: $list.json
    steps:
      - id: work
        run: ${JSON.stringify(note(`\${item}`, 'c'))}
  - id: last
    run: echo "\${each[4].work}"
`,
  );
  const worker = scratch.thermidor('run', 'loop.yaml');
  const run = await runOf(worker);
  await worker.until('the third item is running', () => notes.lines().includes('c'));
  await worker.kill();
  const watching = await takeUp(run, () => notes.lines().length === 4, notes);
  await watching.endsWith(0);
  expect(notes.lines()).toEqual(['a', 'b', 'c', 'c', 'd', 'e']);
  expect((await scratch.ask('show', run, 'last')).out).toContain('did e');
});

inSweep.test('in a chain of commands: it goes on at the one that was under way', async () => {
  const notes = notebook('chain');
  const steps = Array.from({ length: 20 }, (_, i) => `  - {id: s${i}, run: ${JSON.stringify(note(`n${i}`, 'n12'))}}`);
  scratch.write('chain.yaml', `name: chain\n${notes.env}\nsteps:\n${steps.join('\n')}\n`);
  const worker = scratch.thermidor('run', 'chain.yaml');
  const run = await runOf(worker);
  await worker.until('the thirteenth is running', () => notes.lines().includes('n12'));
  await worker.kill();
  const watching = await takeUp(run, () => notes.lines().length === 14, notes);
  await watching.endsWith(0);
  const expected = Array.from({ length: 20 }, (_, i) => `n${i}`);
  expect(notes.lines()).toEqual([...expected.slice(0, 13), 'n12', ...expected.slice(13)]);
});

describe('a child pipeline with a gate', () => {
  const write = (name: string, held?: 'before'): Notebook => {
    const notes = notebook(name);
    scratch.write(
      `${name}-child.yaml`,
      `name: ${name}_child
${notes.env}
steps:
  - {id: before, run: ${JSON.stringify(note('before', held))}}
  - {id: ask, type: approval, prompt: "Go on?"}
  - {id: behind, run: ${JSON.stringify(note('behind'))}}
`,
    );
    scratch.write(
      `${name}.yaml`,
      `name: ${name}
${notes.env}
steps:
  - id: both
    type: parallel
    branches:
      - {id: sub, pipeline: ${name}-child.yaml}
      - {id: other, run: ${JSON.stringify(note('other'))}}
  - {id: last, run: ${JSON.stringify(note('last'))}}
`,
    );
    return notes;
  };

  /** The parent's own gates: until the parent is listed, the child stands for itself. */
  const listed = (run: string) =>
    until('the parent is listed with the gate', async () => {
      const inbox = await scratch.json<{ gates: { run: string; step: string }[] }>('inbox');
      return inbox.gates.some((gate) => gate.run === run) && inbox.gates.filter((gate) => gate.run.startsWith(run));
    });

  test('survives its worker, is shown once in the inbox, under the parent, and is answered there', async () => {
    const notes = write('answered', 'before');
    const worker = scratch.thermidor('run', 'answered.yaml');
    const run = await runOf(worker);
    await worker.until('the child is running', () => notes.lines().includes('before'));
    // Otherwise it might be done again, too.
    await untilStatus(scratch, run, 'the other branch is done', (view) => step(view, 'other').state === 'done');
    await worker.kill();
    const watching = await takeUp(run, () => notes.lines().length === 3, notes);
    await watching.untilLine(/run +waiting/);
    expect(await listed(run)).toMatchObject([{ run, step: 'both[0]/sub/ask' }]);
    expect(await scratch.ask('approve', run, 'both[0]/sub/ask', '--by', 'ann')).toMatchObject({ code: 0 });
    expect(await watching.finished).toMatchObject({ code: 0 });
    expect(notes.lines().sort()).toEqual(['before', 'before', 'behind', 'last', 'other']);
  });

  inSweep.describe('next to a worker that stays', () => {
    let others: Scratch;
    beforeAll(async () => {
      others = scratch;
      scratch = await Scratch.onSharedServer();
      scratch.follow('worker');
    }, SET_UP_MS);
    afterAll(async () => {
      await scratch.close();
      scratch = others;
    });

    test('is shown once in the inbox, and is rejected at the parent', async () => {
      write('listed');
      const run = await startDetached(scratch, 'listed.yaml');
      const watching = scratch.follow('watch', run);
      await watching.untilLine(/run +waiting/);
      expect(await listed(run)).toMatchObject([{ run, step: 'both[0]/sub/ask' }]);
      expect(await scratch.ask('reject', run, '--by', 'ann')).toMatchObject({ code: 0 });
      const { code, err } = await watching.finished;
      expect(code === 1 ? code : err).toBe(1);
    });

    test('takes an answer from the plain Temporal CLI', async () => {
      const notes = write('plainly');
      const { address } = scratch.place;
      const run = await startDetached(scratch, 'plainly.yaml');
      const watching = scratch.follow('watch', run);
      await watching.untilLine(/run +waiting/);
      const signal = ['workflow', 'signal', '-w', run, '--name', 'approve', '--input', '{"step":"both[0]/sub/ask"}', '--address', address];
      expect(await scratch.temporal(...signal)).toMatchObject({ code: 0 });
      expect(await watching.finished).toMatchObject({ code: 0 });
      expect(notes.lines()).toContain('behind');
    });

    test('is cancelled with its parent', async () => {
      write('cancelled');
      const { address } = scratch.place;
      const run = await startDetached(scratch, 'cancelled.yaml');
      const watching = scratch.follow('watch', run);
      await watching.untilLine(/run +waiting/);
      const { child } = step(await untilStatus(scratch, run, 'it has a child', () => true), 'sub');
      expect(await scratch.ask('cancel', run)).toMatchObject({ code: 0 });
      expect(await watching.finished).toMatchObject({ code: 1 });
      const described = await scratch.temporal('workflow', 'describe', '-w', child ?? '', '--address', address, '-o', 'json');
      expect(readJson<{ workflowExecutionInfo: { status: string } }>(described).workflowExecutionInfo.status).toMatch(/CANCELED/);
    });
  });
});
