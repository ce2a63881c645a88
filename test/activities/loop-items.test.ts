import { items, itemValues } from '../../activities/containers/loop-items';
import type { Expr } from '../../plan/expressions/expression';
import type { ForEachStep } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { codeOf, failureOf, KEY, literal, type Workshop, workshop } from './workshop';

function loop(over: Expr): ForEachStep {
  return { id: 'loop', kind: 'for_each', items: over, block: { order: 'sequence', steps: [] } };
}

async function over(shop: Workshop, expr: Expr, inputs = {}) {
  await shop.open([loop(expr)]);
  return await items(shop.toolbox, shop.call('loop#1~1/items'), { run: KEY.run, inputs });
}

describe('what a loop goes over', () => {
  test('is evaluated from the store and stored as a list', async () => {
    const shop = workshop();
    const plan = await shop.artifacts.put('{"files": ["a", {"b": 1}]}', { mediaType: 'application/json' });
    const { list, count } = await over(shop, { kind: 'output', step: 'plan', path: ['files'] }, { plan });
    expect([count, JSON.parse((await shop.artifacts.get(list)).toString())]).toEqual([2, ['a', { b: 1 }]]);
  });

  test('may be empty', async () => {
    expect((await over(workshop(), literal([]) as Expr)).count).toBe(0);
  });

  test.each<[Json, string]>([
    [null, 'null'],
    ['a, b', 'string'],
    [{ items: [] }, 'object'],
    [7, 'number'],
  ])('fails where it is no list, and says what it is: %j', async (value, type) => {
    const failure = await failureOf(over(workshop(), literal(value) as Expr));
    expect(failure).toMatchObject({ code: 'loop.not-a-list', details: { step: 'loop', type } });
  });

  test('fails over a million items, before a run that would take days', async () => {
    const many = literal(Array.from({ length: 1_000_001 }, () => 0)) as Expr;
    expect(await codeOf(over(workshop(), many))).toBe('output.too-large');
  });
});

describe('what control reads of items', () => {
  const list = (shop: Workshop, value: Json) => shop.artifacts.put(JSON.stringify(value), { mediaType: 'application/json' });
  const input = { run: KEY.run, paths: [['id'], ['at', 'line'], []] };

  test('comes for one item each, by path, without the last', async () => {
    const shop = workshop();
    const ref = await list(shop, [{ id: 1 }, { id: 2, at: { line: 7 } }, { id: 3 }, { id: 4 }]);
    expect(await itemValues(shop.toolbox, { ...input, list: ref, from: 1, to: 3 })).toEqual([
      { id: 2, 'at.line': 7, $: { id: 2, at: { line: 7 } } },
      { id: 3, 'at.line': null, $: { id: 3 } },
    ]);
  });

  test('is at most 64 KiB, and names the path that is too much', async () => {
    const shop = workshop();
    const ref = await list(shop, [{ id: 'x'.repeat(40_000), n: 1 }, { id: 'x'.repeat(40_000) }]);
    const wanted = { run: KEY.run, list: ref, paths: [['id'], ['n']] };
    expect((await itemValues(shop.toolbox, { ...wanted, from: 0, to: 1 }))[0]?.['n']).toBe(1);
    const failure = await failureOf(itemValues(shop.toolbox, { ...wanted, from: 0, to: 2 }));
    expect(failure).toMatchObject({ code: 'values.too-large', details: { path: 'id', from: 0, to: 2, limitBytes: 65_536 } });
  });
});
