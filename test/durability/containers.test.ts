import { runOf, step, untilStatus } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** Branches, loops, chains and child pipelines under kill -9: what is done is not done again, at whatever depth. */
let scratch: Scratch;

/** Writes a line when it begins; where the name is the slow one's, takes its time before it ends. */
const note = (name: string, slow?: string): string =>
  `echo ${name} >> $NOTES/lines; ${slow === undefined ? '' : `if [ ${name} = ${slow} ]; then sleep 1.5; fi; `}echo "did ${name}"`;

beforeAll(async () => {
  scratch = await Scratch.make();
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(() => scratch.close());

/** Lines that the steps of a test have written, and how to have them written. */
function notebook(name: string): { env: string; lines(): string[] } {
  scratch.write(`${name}/lines`, '');
  return { env: `env: {NOTES: ${scratch.path(name)}}`, lines: () => scratch.lines(`${name}/lines`) };
}

test('in a loop: iterations that are done stay done, and the one under way is done again', async () => {
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
  await until('the third item is at work', () => notes.lines().includes('c'));
  await worker.kill();
  expect(await scratch.thermidor('watch', run).finished).toMatchObject({ code: 0 });
  expect(notes.lines()).toEqual(['a', 'b', 'c', 'c', 'd', 'e']);
  expect((await scratch.thermidor('show', run, 'last').finished).out).toContain('did e');
});

test('in a chain of commands: it goes on at the one that was under way', async () => {
  const notes = notebook('chain');
  const steps = Array.from({ length: 20 }, (_, i) => `  - {id: s${i}, run: ${JSON.stringify(note(`n${i}`, 'n12'))}}`);
  scratch.write('chain.yaml', `name: chain\n${notes.env}\nsteps:\n${steps.join('\n')}\n`);
  const worker = scratch.thermidor('run', 'chain.yaml');
  const run = await runOf(worker);
  await until('the thirteenth is at work', () => notes.lines().includes('n12'));
  await worker.kill();
  expect(await scratch.thermidor('watch', run).finished).toMatchObject({ code: 0 });
  const expected = Array.from({ length: 20 }, (_, i) => `n${i}`);
  expect(notes.lines()).toEqual([...expected.slice(0, 13), 'n12', ...expected.slice(13)]);
});

describe('a child pipeline with a gate', () => {
  const write = (name: string): { lines(): string[] } => {
    const notes = notebook(name);
    scratch.write(
      `${name}-child.yaml`,
      `name: ${name}_child
${notes.env}
steps:
  - {id: before, run: ${JSON.stringify(note('before', 'before'))}}
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

  test('survives its worker, and is answered at the parent', async () => {
    const notes = write('answered');
    const worker = scratch.thermidor('run', 'answered.yaml');
    const run = await runOf(worker);
    await until('the child is at work', () => notes.lines().includes('before'));
    await worker.kill();
    const watching = scratch.thermidor('watch', run);
    await watching.untilLine(/run +waiting/);
    expect(await scratch.thermidor('approve', run, 'both[0]/sub/ask', '--by', 'ann').finished).toMatchObject({ code: 0 });
    expect(await watching.finished).toMatchObject({ code: 0 });
    expect(notes.lines().sort()).toEqual(['before', 'before', 'behind', 'last', 'other']);
  });

  test('is shown once in the inbox, under the parent', async () => {
    write('listed');
    const run = await runOf(scratch.thermidor('run', 'listed.yaml', '--detach'));
    const watching = scratch.thermidor('watch', run);
    await watching.untilLine(/run +waiting/);
    const inbox = await scratch.json<{ gates: { run: string; step: string }[] }>('inbox');
    expect(inbox.gates).toMatchObject([{ run, step: 'both[0]/sub/ask' }]);
    expect(await scratch.thermidor('reject', run, '--by', 'ann').finished).toMatchObject({ code: 0 });
    expect(await watching.finished).toMatchObject({ code: 1 });
  });

  test('takes an answer from the plain Temporal CLI', async () => {
    const notes = write('plainly');
    const address = await scratch.keepServer();
    const run = await runOf(scratch.thermidor('run', 'plainly.yaml', '--detach'));
    const watching = scratch.thermidor('watch', run);
    await watching.untilLine(/run +waiting/);
    const signal = ['workflow', 'signal', '-w', run, '--name', 'approve', '--input', '{"step":"both[0]/sub/ask"}', '--address', address];
    expect(await scratch.temporal(...signal)).toMatchObject({ code: 0 });
    expect(await watching.finished).toMatchObject({ code: 0 });
    expect(notes.lines()).toContain('behind');
  });

  test('is cancelled with its parent', async () => {
    write('cancelled');
    const address = await scratch.keepServer();
    const run = await runOf(scratch.thermidor('run', 'cancelled.yaml', '--detach'));
    const watching = scratch.thermidor('watch', run);
    await watching.untilLine(/run +waiting/);
    const { child } = step(await untilStatus(scratch, run, 'it has a child', () => true), 'sub');
    expect(await scratch.thermidor('cancel', run).finished).toMatchObject({ code: 0 });
    expect(await watching.finished).toMatchObject({ code: 1 });
    const described = await scratch.temporal('workflow', 'describe', '-w', child ?? '', '--address', address, '-o', 'json');
    expect(readJson<{ workflowExecutionInfo: { status: string } }>(described).workflowExecutionInfo.status).toMatch(/CANCELED/);
  });
});
