import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../../activities/adapters/process';
import type { Caller, ProcessRunner } from '../../../activities/ports';
import { stages } from '../../../activities/stages/stages-activity';
import type { Toolbox } from '../../../activities/toolbox';
import type { ArtifactRef } from '../../../plan/artifact';
import type { StagesInput, StagesOutput } from '../../../plan/container-work';
import { ThermidorFailure } from '../../../plan/failure';
import type { Json } from '../../../plan/json';
import type { Plan } from '../../../plan/plan';
import type { Stage, StageName } from '../../../plan/stage';
import type { StagesStep } from '../../../plan/step';
import type { StepOutput } from '../../../plan/step-work';
import { codeOf, failureOf, KEY, literal, outputTemplate, type Workshop, workshop } from '../workshop';

const ADDRESS = 'pipe#1~1';

function shop(caller: Caller = { env: { PATH: process.env['PATH'] ?? '' } }, more: Partial<Toolbox> = {}): Workshop {
  const environments = { callerOf: async () => caller, inherit: async () => undefined };
  return workshop({ processes: new GroupProcessRunner(), environments, ...more });
}

/** A stage as the compiler makes it; words and flags are templates. */
function stage(name: StageName, words: Stage['words'][number][number][], flags: Record<string, string | true> = {}): Stage {
  const given = Object.entries(flags).map(([flag, value]) => [flag, value === true ? [] : [value]] as const);
  return { name, words: words.map((word) => [word]), flags: Object.fromEntries(given) };
}

function step(pipe: Stage[], more: Partial<StagesStep> = {}): StagesStep {
  return { id: 'pipe', kind: 'stages', stages: pipe, ...more };
}

const LOBSTER: Partial<Plan> & { args?: never } = { dialect: 'lobster' };

async function run(at: Workshop, what: StagesStep, input: Partial<StagesInput> = {}, plan = LOBSTER): Promise<StagesOutput> {
  await at.open([what], plan);
  return await stages(at.toolbox, at.call(ADDRESS), { run: KEY.run, ...input });
}

async function done(at: Workshop, what: StagesStep, input: Partial<StagesInput> = {}): Promise<StepOutput> {
  const output = await run(at, what, input);
  if (output.kind !== 'done') throw new Error(`stage ${output.stage} asked`);
  return output.output;
}

async function stored(at: Workshop, ref: ArtifactRef | undefined): Promise<{ content: string; stdout: string }> {
  if (!ref) throw new Error('no artifact');
  const content = (await at.artifacts.get(ref)).toString();
  return { content, stdout: ref.stdout === undefined ? content : (await at.artifacts.get({ sha256: ref.stdout })).toString() };
}

const print = (text: string, flags: Record<string, string | true> = {}) => stage('exec', ['printf', '%s', text], flags);

describe('what a pipe leaves', () => {
  // As Lobster 2026.9.13 gives `.json`, `.stdout` and the number of items of the same pipes.
  test.each<[string, Stage[], Json | undefined, string, number]>([
    ['a list', [print('[1, "b"]', { json: true })], [1, 'b'], '[1,"b"]', 2],
    ['one object', [print('{"a": 1}', { json: true })], { a: 1 }, '{"a":1}', 1],
    ['one list', [print('[[1, 2]]', { json: true })], [1, 2], '[1,2]', 1],
    ['lines', [print('a\nb')], ['a', 'b'], 'a\nb', 2],
    ['one line', [print('{"a": 1}')], '{"a": 1}', '{"a": 1}', 1],
    ['one null', [print('null', { json: true })], null, '', 1],
    ['nothing', [stage('exec', ['true'])], undefined, '', 0],
    ['JSON laid out', [print('[1]', { json: true }), stage('json', [])], [1], '[\n  1\n]\n', 0],
    ['a table', [print('[1]', { json: true }), stage('table', [])], 1, '1\n', 0],
    ['a table of words', [print('x'), stage('table', [])], undefined, 'x\n', 0],
    ['items behind a renderer', [print('[1]', { json: true }), stage('json', []), print('end')], 'end', '[\n  1\n]\n', 1],
  ])('%s', async (_, pipe, value, stdout, items) => {
    const at = shop();
    const { artifact, values } = await done(at, step(pipe, { reads: [[]], readsStdout: true }));
    expect(values).toEqual({ $: value ?? null, $stdout: stdout });
    expect(artifact).toMatchObject({ mediaType: value === undefined ? 'text/plain' : 'application/json', items });
    const kept = await stored(at, artifact);
    expect(kept.stdout).toBe(stdout);
    if (value !== undefined) expect(JSON.parse(kept.content)).toEqual(value);
  });

  test('is what later steps read, as value and as text', async () => {
    const at = shop();
    const text: Stage['words'][number] = [...outputTemplate('pipe', '1'), ' ', { kind: 'record', step: 'pipe', field: 'stdout', path: [] }];
    const reader: StagesStep = {
      id: 'reader',
      kind: 'stages',
      stages: [{ name: 'template', words: [text], flags: {} }],
      stdin: [literal(0)],
    };
    await at.open([step([print('a\nb')]), reader], LOBSTER);
    const first = await stages(at.toolbox, at.call(ADDRESS), { run: KEY.run });
    const artifact = first.kind === 'done' ? first.output.artifact : undefined;
    const output = await stages(at.toolbox, at.call('reader#1~1'), { run: KEY.run, inputs: { pipe: artifact! } });
    expect(output.kind === 'done' && (await stored(at, output.output.artifact)).stdout).toBe('b a\nb');
  });

  test('keeps the schema that was promised', async () => {
    const at = shop();
    const schema = await at.blob({ type: 'object', required: ['b'] });
    const promised = { output: { name: 'B.json', schema } };
    expect(await failureOf(run(at, step([print('{}', { json: true })], promised)))).toMatchObject({
      code: 'stage.failed',
      details: { missingFields: ['b'] },
    });
    expect(await codeOf(run(shop(), step([print('x'), stage('table', [])], { output: { name: 'B.json' } })))).toBe('stage.failed');
  });
});

describe('what goes into a pipe', () => {
  test.each<[Json, unknown]>([
    [
      [1, [2]],
      [1, [2]],
    ],
    ['text', ['text']],
    [{ a: 1 }, [{ a: 1 }]],
    [null, []],
  ])('a list’s entries each, anything else as one item: %p', async (value, items) => {
    const at = shop();
    const { artifact } = await done(
      at,
      step([stage('map', [], { wrap: 'w' }), stage('map', [], { unwrap: 'w' }), stage('json', [])], { stdin: [literal(value)] }),
    );
    expect(JSON.parse((await stored(at, artifact)).content)).toEqual(items);
  });

  test('its commands get the caller’s environment, args and the step’s own, and run where the caller was', async () => {
    const root = shop().root;
    const at = shop({ env: { PATH: process.env['PATH'] ?? '', WHO: 'caller', STEP: 'caller' }, cwd: root });
    const show = stage('exec', [], { shell: 'echo $WHO $STEP $LOBSTER_ARG_MARKET $LOBSTER_ARGS_JSON; pwd' });
    const { artifact } = await done(at, step([show], { env: { STEP: ['step'] } }));
    expect((await stored(at, artifact)).stdout).toBe(`caller step BTC/USDT {"market":"BTC/USDT"}\n${root}`);
    const elsewhere = shop({ env: {}, cwd: '/' });
    const within = await done(elsewhere, step([stage('exec', [], { shell: 'pwd' })], { cwd: ['tmp'] }));
    expect((await stored(elsewhere, within.artifact)).stdout).toBe('/tmp');
  });
});

describe('a pipe that asks', () => {
  const PIPE = [
    stage('exec', [], { shell: 'echo x >> "$RUNS"; echo [1,2]', json: true }),
    stage('approve', [], { prompt: 'Go on?', 'preview-from-stdin': true, limit: '1' }),
    stage('map', [], { wrap: 'n' }),
    stage('ask', [], { prompt: 'How many?', schema: '{"type": "number"}', 'subject-from-stdin': true }),
    stage('map', [], { wrap: 'answer' }),
  ];

  test('halts with its form, goes on behind it with the answer, and repeats nothing before it', async () => {
    const at = shop();
    const runs = join(at.root, 'runs');
    const what = step(PIPE, { env: { RUNS: [runs] } });
    const first = await run(at, what);
    expect(first).toMatchObject({ kind: 'asks', stage: 1, gate: 'approval', question: { question: 'Go on?' } });
    if (first.kind !== 'asks') throw new Error('it did not ask');
    const form = JSON.parse((await at.artifacts.get(first.question.form)).toString());
    expect(form).toEqual({ prompt: 'Go on?', items: [1, 2], preview: '[\n  1\n]' });

    const second = await stages(at.toolbox, at.call(ADDRESS), { run: KEY.run, from: { stage: 1, items: first.items, approved: true } });
    expect(second).toMatchObject({ kind: 'asks', stage: 3, gate: 'input', question: { question: 'How many?' } });
    if (second.kind !== 'asks') throw new Error('it did not ask');
    const asked = JSON.parse((await at.artifacts.get(second.question.form)).toString());
    expect(asked).toEqual({ prompt: 'How many?', responseSchema: { type: 'number' }, subject: { text: '{"n":1}\n{"n":2}' } });

    const last = await stages(at.toolbox, at.call(ADDRESS), { run: KEY.run, from: { stage: 3, items: second.items, response: 7 } });
    expect(last.kind === 'done' && (await stored(at, last.output.artifact)).content).toBe('{"answer":7}');
    expect(readFileSync(runs, 'utf8')).toBe('x\n');
  });

  test('asks behind the whole pipe where the step has an approval', async () => {
    const output = await done(shop(), step([print('{"a": 1}', { json: true })], { approval: { prompt: ['Keep it?'] } }));
    expect(output.approval).toMatchObject({ question: 'Keep it?' });
  });
});

describe('a pipe whose worker is killed', () => {
  /** Commands of which the one with `kill` never ends for the worker. */
  function mortal(): ProcessRunner & { ran: string[] } {
    const real = new GroupProcessRunner();
    const ran: string[] = [];
    return Object.assign(Object.create(real) as GroupProcessRunner, {
      ran,
      run: async (request: Parameters<ProcessRunner['run']>[0], signal: AbortSignal) => {
        const line = 'shell' in request.command ? request.command.shell : request.command.argv.join(' ');
        ran.push(line);
        if (line.includes('kill') && ran.filter((one) => one === line).length === 1) throw new Error('killed');
        return await real.run(request, signal);
      },
    });
  }

  test('goes on at the stage it was in', async () => {
    const processes = mortal();
    const at = shop(undefined, { processes });
    const pipe = [
      stage('exec', ['echo one']),
      stage('exec', ['cat; : kill'], { stdin: 'raw' }),
      stage('exec', ['cat; : end'], { stdin: 'raw' }),
    ];
    await expect(run(at, step(pipe))).rejects.toThrow('killed');
    const again = await stages(at.toolbox, at.call(ADDRESS, { attempt: 2 }), { run: KEY.run });
    expect(again.kind === 'done' && (await stored(at, again.output.artifact)).stdout).toBe('one');
    expect(processes.ran).toEqual(['echo one', 'cat; : kill', 'cat; : kill', 'cat; : end']);
  });

  test('gives again what it gave', async () => {
    const processes = mortal();
    const at = shop(undefined, { processes });
    const first = await run(at, step([stage('exec', ['echo one'])]));
    expect(await stages(at.toolbox, at.call(ADDRESS, { attempt: 2 }), { run: KEY.run })).toEqual(first);
    expect(processes.ran).toHaveLength(1);
  });

  test('keeps a large result too', async () => {
    const at = shop(undefined, { processes: mortal() });
    writeFileSync(join(at.root, 'large'), JSON.stringify('y'.repeat(100_000)));
    const pipe = [stage('exec', ['cat', join(at.root, 'large')], { json: true }), stage('exec', ['wc -c; : kill'], { stdin: 'raw' })];
    await expect(run(at, step(pipe))).rejects.toThrow('killed');
    const again = await stages(at.toolbox, at.call(ADDRESS, { attempt: 2 }), { run: KEY.run });
    expect(again.kind === 'done' && (await stored(at, again.output.artifact)).stdout.trim()).toBe('100000');
  });
});

describe('a pipe fails', () => {
  test('when its time is up, its command ended', async () => {
    const failure = await failureOf(run(shop(), step([stage('exec', ['sleep', '300'])], { timeoutMs: 50 })));
    expect(failure).toMatchObject({ code: 'command.timeout', details: { timeoutMs: 50 } });
  });

  test('with the code of its command, and with its stage’s name', async () => {
    expect(await codeOf(run(shop(), step([stage('exec', [], { shell: 'exit 3' })])))).toBe('command.failed');
    expect(await failureOf(run(shop(), step([stage('head', [], { n: 'x' })])))).toMatchObject({
      code: 'stage.failed',
      message: expect.stringMatching(/^head /),
    });
  });
});

describe('a secret of the run’s', () => {
  test('reaches a command, and stands in no form', async () => {
    const at = shop(undefined, { secrets: { resolve: async () => 'hush-hush' } });
    await at.ledger.putIfAbsent(KEY, 'run', {
      plan: await at.artifacts.put(
        JSON.stringify({
          irVersion: 1,
          name: 'demo',
          args: { token: { secret: true } },
          block: {
            order: 'sequence',
            steps: [
              step([stage('exec', [], { shell: 'echo $TOKEN' }), stage('approve', [], { prompt: 'Send?' })], {
                env: { TOKEN: [{ kind: 'arg', name: 'token', path: [] }] },
              }),
            ],
          },
        }),
        { mediaType: 'application/json' },
      ),
      args: { token: 'secret://env/TOKEN' },
      startedAt: '2026-11-21T07:30:00.000Z',
    } as never);
    const asked = await stages(at.toolbox, at.call(ADDRESS), { run: KEY.run });
    if (asked.kind !== 'asks') throw new Error('it did not ask');
    expect((await at.artifacts.get(asked.items)).toString()).toBe('["hush-hush"]');
    expect((await at.artifacts.get(asked.question.form)).toString()).toBe('{"prompt":"Send?","items":["***"]}');
  });
});

describe('workflows.list', () => {
  test('describes what the worker finds, and says why one cannot be used', async () => {
    const pipelines: Toolbox['pipelines'] = {
      names: () => ['bad', 'good'],
      pipeline: async (name) => {
        if (name === 'bad') throw new ThermidorFailure('pipeline.invalid', 'a mistake');
        const plan: Plan = { irVersion: 1, name, source: '', trigger: { kind: 'manual' }, block: { order: 'sequence', steps: [] } };
        return { plan: { ...plan, description: 'Good.', args: { n: { type: 'number', required: true } } }, blobs: new Map() };
      },
      script: async () => {
        throw new Error('no script');
      },
      readScript: () => {
        throw new Error('no script');
      },
    };
    const at = shop(undefined, { pipelines });
    const { artifact } = await done(at, step([stage('workflows.list', [])]));
    expect(JSON.parse((await stored(at, artifact)).content)).toMatchObject([
      { name: 'bad', error: { code: 'pipeline.invalid' } },
      { name: 'good', description: 'Good.', argsSchema: { properties: { n: { type: 'number' } }, required: ['n'] } },
    ]);
  });
});
