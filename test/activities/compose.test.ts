import { compose } from '../../activities/containers/compose';
import type { Plan } from '../../plan/plan';
import type { ArtifactRef } from '../../plan/run/artifact';
import { readChildMessage } from '../../plan/run/child';
import type { Composition } from '../../plan/steps/container-activities';
import type { ForEachStep, ParallelStep, RepeatStep, Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { jsonText, parseJson } from '../../plan/text/json-text';
import { compositionOf } from '../../workflows/interpreter/containers/compose';
import { codeOf, failureOf, KEY, type Workshop, workshop } from './workshop';

const wait = (id: string): Step => ({ id, kind: 'wait', forMs: 1 });

function parallel(more: Partial<ParallelStep> = {}): ParallelStep {
  return { id: 'par', kind: 'parallel', branches: [wait('b'), wait('a'), wait('c')], ...more };
}

function loop(more: Partial<ForEachStep> = {}): ForEachStep {
  const block = { order: 'sequence' as const, steps: [wait('draft'), wait('check')] };
  return { id: 'loop', kind: 'for_each', items: { kind: 'literal', value: [] }, block, ...more };
}

async function composed(shop: Workshop, step: Step, from: Composition, more: Partial<Plan> = {}, suffix = 'compose') {
  await shop.open([step], more);
  const output = await compose(shop.toolbox, shop.call(`${step.id}#1~1/${suffix}`), { run: KEY.run, from });
  const artifact = output.artifact;
  return { ...output, json: artifact && (JSON.parse((await shop.artifacts.get(artifact)).toString()) as Json) };
}

const json = (shop: Workshop, value: Json) => shop.artifacts.put(JSON.stringify(value, null, 2), { mediaType: 'application/json' });
const text = (shop: Workshop, value: string) => shop.artifacts.put(value, { mediaType: 'text/plain' });

describe('the output of a block as a whole', () => {
  const steps: Step[] = [
    wait('silent'),
    { id: 'draft', kind: 'command', command: { shell: [] } },
    { id: 'check', kind: 'agent', agent: 'a' },
  ];
  const rounds = (more: Partial<RepeatStep> = {}): RepeatStep => ({
    ...{ id: 'fix', kind: 'repeat', until: { kind: 'literal', value: true }, max: 3, roundVar: 'round', lastVar: 'last' },
    block: { order: 'sequence', steps },
    ...more,
  });

  test('has a field for each step that has an output, null if it gave none, after those of its own', async () => {
    const shop = workshop();
    const from = { kind: 'fields', own: { round: 2, exhausted: false }, results: { draft: await text(shop, 'a "draft"') } } as const;
    const { json: output, values } = await composed(shop, rounds(), from);
    expect(output).toEqual({ round: 2, exhausted: false, draft: 'a "draft"', check: null });
    expect(values).toBeUndefined();
  });

  test('brings what expressions read of it', async () => {
    const shop = workshop();
    const results = { draft: await text(shop, 'x'.repeat(100_000)), check: await json(shop, { score: 1 }) };
    const step = rounds({ reads: [['check', 'score'], ['round']] });
    expect((await composed(shop, step, { kind: 'fields', own: { round: 2 }, results })).values).toEqual({ 'check.score': 1, round: 2 });
  });
});

describe('the output of branches', () => {
  test('is by branch, in the plan’s order, null if there is none', async () => {
    const shop = workshop();
    const results = { a: await json(shop, { n: 1 }), b: await text(shop, 'plain "text"\n'), c: null };
    const { json: output, artifact } = await composed(shop, parallel(), { kind: 'branches', results });
    expect(output).toEqual({ b: 'plain "text"\n', a: { n: 1 }, c: null });
    expect(Object.keys(output as object)).toEqual(['b', 'a', 'c']);
    expect(artifact).toMatchObject({ name: 'par.json', mediaType: 'application/json' });
  });

  test('in a Lobster file leaves out branches without JSON', async () => {
    const shop = workshop();
    const results = { a: await json(shop, 1), b: await text(shop, 'plain'), c: null };
    expect((await composed(shop, parallel(), { kind: 'branches', results }, { dialect: 'lobster' })).json).toEqual({ a: 1 });
    expect((await composed(workshop(), parallel(), { kind: 'branches', results: {} }, { dialect: 'lobster' })).json).toEqual({});
  });

  test('in a Lobster file calls branches what the file calls them', async () => {
    const shop = workshop();
    const step = parallel({ branches: [{ ...wait('build-web'), as: 'build web' }, wait('a')], reads: [['build web']] });
    const results = { 'build-web': await json(shop, 1), a: await json(shop, 2) };
    const { json: output, values } = await composed(shop, step, { kind: 'branches', results }, { dialect: 'lobster' });
    expect([output, values]).toEqual([{ 'build web': 1, a: 2 }, { 'build web': 1 }]);
  });

  test('brings what expressions read of it, and no more', async () => {
    const shop = workshop();
    const results = { a: await json(shop, { n: [1, 2] }), b: await json(shop, 'x'.repeat(100_000)) };
    const read = parallel({
      reads: [
        ['a', 'n', 1],
        ['c', 'n'],
      ],
    });
    expect((await composed(shop, read, { kind: 'branches', results })).values).toEqual({ 'a.n.1': 2, 'c.n': null });
    const whole = workshop();
    const failure = await failureOf(
      composed(whole, parallel({ reads: [[]] }), { kind: 'branches', results: { b: await json(whole, 'x'.repeat(100_000)) } }),
    );
    expect(failure).toMatchObject({ code: 'values.too-large', details: { path: '$' } });
  });

  test('merged says what is merged, missing and in conflict', async () => {
    const shop = workshop();
    const results = {
      a: await json(shop, [
        { id: 1, risk: 'high' },
        { id: 2, risk: 'low' },
      ]),
      b: await json(shop, { findings: [{ id: 1, risk: 'low' }] }),
      c: null,
    };
    const step = parallel({ merge: { how: 'union', key: 'id' }, reads: [['missing']] });
    const output = await composed(shop, step, { kind: 'branches', results, timedOut: true });
    expect(output.json).toEqual({
      consensus: false,
      results: {
        b: { findings: [{ id: 1, risk: 'low' }] },
        a: [
          { id: 1, risk: 'high' },
          { id: 2, risk: 'low' },
        ],
      },
      merged: [
        { id: 1, risk: 'low' },
        { id: 1, risk: 'high' },
        { id: 2, risk: 'low' },
      ],
      conflicts: [
        {
          key: 1,
          values: [
            { branch: 'b', value: { id: 1, risk: 'low' } },
            { branch: 'a', value: { id: 1, risk: 'high' } },
          ],
        },
      ],
      missing: ['c'],
      completed: 2,
      total: 3,
      timedOut: true,
    });
    expect(output.values).toEqual({ missing: ['c'] });
  });
});

describe('the output of a loop', () => {
  test('is made of parts: item, index and the output of each step', async () => {
    const shop = workshop();
    const list = await json(shop, ['x', 'y', 'z']);
    const results = [{ draft: await json(shop, { t: 1 }), check: await text(shop, 'ok') }, { draft: await json(shop, 2) }];
    const part = await composed(shop, loop(), { kind: 'iterations', list, from: 1, results }, {}, 'part-0');
    expect(part.json).toEqual([
      { item: 'y', index: 1, draft: { t: 1 }, check: 'ok' },
      { item: 'z', index: 2, draft: 2, check: null },
    ]);
    expect(part.values).toBeUndefined();
  });

  test('in a Lobster file has the file’s own names, and leaves out what did not run', async () => {
    const shop = workshop();
    const list = await json(shop, ['x', null]);
    const block = { order: 'sequence' as const, steps: [{ ...wait('draft-2'), as: 'draft' }, wait('check')] };
    const step = loop({ itemVar: 'page', indexVar: 'at', block });
    const results = [{ 'draft-2': await json(shop, 1), check: await text(shop, '') }, { check: await json(shop, null) }];
    const from: Composition = { kind: 'iterations', list, from: 0, results };
    expect((await composed(shop, step, from, { dialect: 'lobster' }, 'part-0')).json).toEqual([
      { page: 'x', at: 0, draft: 1, check: '' },
      { page: null, at: 1, check: null },
    ]);
  });

  test('is its parts as one list, of which only what is read travels', async () => {
    const shop = workshop();
    const parts = [await json(shop, [{ n: 0 }, { n: 1 }]), await json(shop, []), await json(shop, [{ n: 2, pad: 'x'.repeat(100_000) }])];
    const output = await composed(shop, loop({ reads: [[2, 'n'], ['1', 'n'], [9]] }), { kind: 'parts', parts });
    expect(output.json).toMatchObject([{ n: 0 }, { n: 1 }, { n: 2 }]);
    expect(output.values).toEqual({ '2.n': 2, '1.n': 1, '9': null });
  });

  test('is empty if there was nothing to do', async () => {
    expect((await composed(workshop(), loop(), { kind: 'parts', parts: [] })).json).toEqual([]);
  });

  test('that is too large fails before it is put together', async () => {
    const shop = workshop();
    const part = await json(shop, ['x'.repeat(30 * 1024 * 1024)]);
    const failure = await failureOf(composed(shop, loop(), { kind: 'parts', parts: [part, part, part] }));
    expect(failure).toMatchObject({ code: 'output.too-large', details: { step: 'loop' } });
  });

  test('has no part that is not a list', async () => {
    const shop = workshop();
    expect(await codeOf(composed(shop, loop(), { kind: 'parts', parts: [await json(shop, { a: 1 })] }))).toBe('artifact.missing');
  });

  test('of ten thousand items keeps the order', async () => {
    const shop = workshop();
    const list = await json(
      shop,
      Array.from({ length: 10_000 }, (_, n) => n),
    );
    const draft = await json(shop, { done: true });
    await shop.open([loop()]);
    const parts: ArtifactRef[] = [];
    for (let from = 0; from < 10_000; from += 1000) {
      const input = { kind: 'iterations' as const, list, from, results: Array.from({ length: 1000 }, () => ({ draft })) };
      const { artifact } = await compose(shop.toolbox, shop.call(`loop#1~1/part-${from}`), { run: KEY.run, from: input });
      if (artifact) parts.push(artifact);
    }
    const { artifact } = await compose(shop.toolbox, shop.call('loop#1~1/compose'), { run: KEY.run, from: { kind: 'parts', parts } });
    const output = JSON.parse((await shop.artifacts.get(artifact!)).toString()) as { item: number; index: number }[];
    expect(output.every(({ item, index }, n) => item === n && index === n) && output.length).toBe(10_000);
  });
});

describe('an output taken over', () => {
  test('is a person’s answer, or the defaults of its step', async () => {
    const input: Step = { id: 'ask', kind: 'input', defaults: { n: 1 }, reads: [['n']] };
    const given = await composed(workshop(), input, { kind: 'value', value: { n: 7 } });
    expect([given.json, given.values]).toEqual([{ n: 7 }, { n: 7 }]);
    expect((await composed(workshop(), input, { kind: 'defaults' })).values).toEqual({ n: 1 });
  });

  test('is none if nobody answered and the step has no defaults', async () => {
    const input: Step = { id: 'ask', kind: 'input' };
    expect(await codeOf(composed(workshop(), input, { kind: 'defaults' }))).toBe('input.no-answer');
  });

  test('is none if nobody answered and the defaults, which fill in a form, are not an answer', async () => {
    const outputOf = async (defaults: Json) => {
      const shop = workshop();
      const { sha256 } = await shop.artifacts.put('{"type":"object","required":["n","why"]}', { mediaType: 'application/schema+json' });
      return (await composed(shop, { id: 'ask', kind: 'input', responseSchema: sha256, defaults }, { kind: 'defaults' })).json;
    };
    expect(await outputOf({ n: 1, why: 'x' })).toEqual({ n: 1, why: 'x' });
    expect(await codeOf(outputOf({ n: 1 }))).toBe('input.no-answer');
    await expect(outputOf({ n: 1 })).rejects.toThrow('its defaults do not satisfy its schema: why is missing');
  });

  test('is a child’s number as it was written', async () => {
    const shop = workshop();
    const child: Step = { id: 'kid', kind: 'pipeline', pipeline: 'kid', plan: '', reads: [[]] };
    const news = readChildMessage(parseJson('{"step":"kid#1~1","kind":"ended","state":"completed","output":{"value":1.10}}'));
    if (news?.kind !== 'ended' || news.state !== 'completed') throw new Error('it has not ended');
    const { artifact, values } = await composed(shop, child, compositionOf(news.output));
    expect([(await shop.artifacts.get(artifact!)).toString(), jsonText(values)]).toEqual(['1.10', '{"$":1.10}']);
  });

  test('stays the artifact it is', async () => {
    const shop = workshop();
    const artifact = await json(shop, { deep: [1] });
    const group: Step = { id: 'g', kind: 'group', block: { order: 'sequence', steps: [] } };
    expect((await composed(shop, group, { kind: 'artifact', artifact })).artifact).toEqual(artifact);
  });

  test('brings what is read of it', async () => {
    const shop = workshop();
    const artifact = await text(shop, 'plain');
    const group: Step = { id: 'g', kind: 'group', block: { order: 'sequence', steps: [] }, reads: [[]], readsStdout: true };
    await shop.open([group]);
    const output = await compose(shop.toolbox, shop.call('g#1~1/compose'), { run: KEY.run, from: { kind: 'artifact', artifact } });
    expect(output.values).toEqual({ $: 'plain', $stdout: 'plain' });
  });
});

describe('the output of a Lobster file that another names', () => {
  const child: Step = { id: 'kid', kind: 'pipeline', pipeline: 'kid', plan: '', reads: [[], ['b']], readsStdout: true };
  const nothing: Composition = { kind: 'value', value: null };
  const taken = async (from: (shop: Workshop) => Promise<Composition>) => {
    const shop = workshop();
    const { json: output, artifact, values } = await composed(shop, child, await from(shop), { dialect: 'lobster' });
    const beside = artifact?.stdout;
    return { output, values, text: beside === undefined ? undefined : (await shop.artifacts.get({ sha256: beside })).toString() };
  };
  const of =
    (kind: 'text' | 'json', content: string) =>
    async (shop: Workshop): Promise<Composition> => ({
      kind: 'artifact',
      artifact: await shop.artifacts.put(content, { mediaType: kind === 'json' ? 'application/json' : 'text/plain' }),
    });

  test.each<[string, (shop: Workshop) => Promise<Composition>, Json, string]>([
    ['text is its text', of('text', 'hello\n\n'), 'hello\n\n', 'hello\n\n'],
    ['a JSON text loses its quotes', of('json', '"quoted"\n'), 'quoted', 'quoted'],
    ['an object is itself, in one line as text', of('json', '{\n  "b": 1\n}\n'), { b: 1 }, '{"b":1}'],
    ['a list of one is what is in it', of('json', '[{"b": 1}]'), { b: 1 }, '{"b":1}'],
    ['a longer list stays one', of('json', '["b", 1]'), ['b', 1], '["b",1]'],
    ['null has no text', of('json', 'null'), null, ''],
    ['an empty list has no text', of('json', '[]'), [], ''],
    ['empty text is nothing', of('text', ''), [], ''],
    ['nothing is an empty list', async () => nothing, [], ''],
  ])('%s', async (_rule, from, output, stdout) => {
    const found = await taken(from);
    expect(found.output).toEqual(output);
    expect(found.text ?? JSON.stringify(found.output)).toBe(stdout);
    expect(found.values).toMatchObject({ $: output, $stdout: stdout });
  });
});
