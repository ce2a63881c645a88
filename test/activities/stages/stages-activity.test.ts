import { stages } from '../../../activities/stages/stages-activity';
import type { Template } from '../../../plan/expressions/expression';
import type { Stage } from '../../../plan/stages/stage';
import type { StagesStep } from '../../../plan/steps/step';
import type { Json } from '../../../plan/text/json';
import { codeOf, failureOf, KEY, literal, outputTemplate } from '../workshop';
import { ADDRESS, done, LOBSTER, print, run, shop, stage, step, stored } from './pipe-step';

describe('what a pipe leaves', () => {
  // The results of `.json`, `.stdout` and the number of items that Lobster 2026.9.13 gives for the same pipes.
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
    const text: Template = [...outputTemplate('pipe', '1'), ' ', { kind: 'record', step: 'pipe', field: 'stdout', path: [] }];
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
