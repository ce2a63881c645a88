import { readJson, Scratch, SET_UP_MS } from './support/scratch';

/** Mistakes before a run: each is named, with exit code 2, and nothing is started. */
interface Checked {
  file: string;
  ok: boolean;
  diagnostics: { code: string; hint?: string }[];
  problem?: { code: string };
}

let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
}, SET_UP_MS);
afterAll(() => scratch.close());

const AGENT = '    agent: reviewer\n';
/** Ten names, each ten times the one before. */
const ALIAS_BOMB = `name: bomb\nlist0: &l0 [x]\n${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  .map(
    (n) =>
      `list${n}: &l${n} [${Array(10)
        .fill(`*l${n - 1}`)
        .join(', ')}]\n`,
  )
  .join('')}`;
const TEN_MISTAKES = `name: ten\nownr: a\nstep: []\nsteps:\n${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `  - id: s${n}\n    rnu: x\n`).join('')}`;

/** Name of the mistake, source, the codes that must be among the diagnostics, and a word of some hint or message. */
const MISTAKES: readonly (readonly [name: string, source: string, code: string, says?: string])[] = [
  ['not-a-mapping', '- one\n- two\n', 'yaml.not-a-mapping'],
  ['tab', 'name: tab\nsteps:\n\t- id: a\n', 'yaml.tab'],
  ['alias-bomb', ALIAS_BOMB, 'yaml.alias-bomb'],
  ['duplicate-key', 'name: one\nname: two\nsteps:\n  - id: a\n    run: x\n', 'yaml.duplicate-key'],
  ['unknown-key', 'name: k\nsteps:\n  - id: a\n    run: x\n    tiemout: 3s\n', 'shape.unknown-key', 'timeout'],
  ['unknown-agent', 'name: k\nsteps:\n  - id: a\n    agent: reviewr\n', 'step.unknown-agent', 'reviewer'],
  ['unknown-step', `name: k\nsteps:\n  - id: first\n${AGENT}  - id: b\n    depends_on: [frist]\n${AGENT}`, 'order.unknown-step', 'first'],
  ['unknown-schema', `name: k\nsteps:\n  - id: a\n${AGENT}    output: Strategy_Thesys.json\n`, 'schema.unknown', 'Strategy_Thesis'],
  ['cycle', `name: k\nsteps:\n  - id: a\n    depends_on: [b]\n${AGENT}  - id: b\n    depends_on: [a]\n${AGENT}`, 'order.cycle'],
  ['later-step', `name: k\nsteps:\n  - id: a\n    run: echo \${b.text}\n  - id: b\n    run: echo\n`, 'expression.not-upstream'],
];

test('validate tells of every file what is wrong with it, and suggests what was meant', async () => {
  for (const [name, source] of MISTAKES) scratch.write(`bad/${name}.yaml`, source);
  scratch.write('bad/ten.yaml', TEN_MISTAKES);
  for (const kind of ['agents', 'schemas']) scratch.write(`bad/${kind}/.keep`, '');
  for (const file of ['agents/reviewer.yaml', 'schemas/Strategy_Thesis.schema.json']) {
    scratch.write(`bad/${file}`, scratch.lines(`pipelines/${file}`).join('\n'));
  }
  const files = [...MISTAKES.map(([name]) => `bad/${name}.yaml`), 'bad/ten.yaml', 'bad/missing.yaml'];
  const finished = await scratch.ask('validate', ...files, '--json');
  expect(finished.code).toBe(2);
  const checked = new Map(readJson<{ files: Checked[] }>(finished).files.map((one) => [one.file, one]));
  for (const [name, , code, says] of MISTAKES) {
    const { ok, diagnostics = [] } = checked.get(`bad/${name}.yaml`) ?? {};
    expect({ name, ok, codes: diagnostics.map((one) => one.code) }).toEqual({ name, ok: false, codes: expect.arrayContaining([code]) });
    if (says !== undefined) expect({ name, said: JSON.stringify(diagnostics) }).toEqual({ name, said: expect.stringContaining(says) });
  }
  expect(checked.get('bad/ten.yaml')?.diagnostics).toHaveLength(10);
  expect(checked.get('bad/missing.yaml')).toMatchObject({ ok: false, problem: { code: 'pipeline.unreadable' } });
});

test.each([
  ['an arg that is missing', [], 'args.invalid'],
  ['an arg of the wrong type', ['--arg', 'count=many'], 'args.invalid'],
  ['an arg that the pipeline does not have', ['--arg', 'count=1', '--arg', 'cuont=2'], 'args.invalid'],
  ['a script that is not there', ['--arg', 'count=1', '--script', 'nobody'], 'script.not-found'],
])('run refuses %s before it starts anything', async (_, args, code) => {
  scratch.write(
    'pipelines/counting.yaml',
    'name: counting\nargs:\n  count: {type: integer, required: true}\nsteps:\n  - id: a\n    run: echo\n',
  );
  const finished = await scratch.ask('run', 'counting', ...args, '--json');
  expect(finished.code).toBe(2);
  expect(readJson(finished)).toMatchObject({ error: { code } });
  await expect(scratch.server()).rejects.toThrow();
});

test('run refuses a pipeline that does not compile, and shows where', async () => {
  scratch.write('pipelines/wrong.yaml', 'name: wrong\nsteps:\n  - id: a\n    rnu: x\n');
  const { code, out, err } = await scratch.ask('run', 'pipelines/wrong.yaml');
  expect(code).toBe(2);
  expect(out + err).toMatch(/wrong\.yaml:4:5/);
});
