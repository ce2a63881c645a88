import { items } from '../../activities/containers/loop-items';
import type { Expr, Template } from '../../plan/expressions/expression';
import { NAMES_AHEAD } from '../../plan/steps/container-activities';
import type { ForEachStep } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { KEY, literal, workshop } from './workshop';

const item = (...path: string[]): Expr => ({ kind: 'variable', name: 'item', path });

async function namesOf(list: Json, more: Partial<ForEachStep> = {}) {
  const shop = workshop({ secrets: { resolve: async () => 'hunter22' } });
  const step: ForEachStep = {
    id: 'loop',
    kind: 'for_each',
    items: literal(list) as Expr,
    block: { order: 'sequence', steps: [] },
    ...more,
  };
  await shop.open([step], { args: { key: { secret: true }, city: {} } }, undefined, { key: 'secret://env/KEY', city: 'Bern' });
  const { names } = await items(shop.toolbox, shop.call('loop#1~1/items'), { run: KEY.run });
  return { names, rest: names?.list && (JSON.parse((await shop.artifacts.get(names.list)).toString()) as Json[]) };
}

describe('items of a loop are called', () => {
  test.each<[string, Json, string | null]>([
    ['a text', 'BTC/USDT', 'BTC/USDT'],
    ['a number', 7, '7'],
    ['a truth value', false, 'false'],
    ['a small object', { id: 'a' }, '{"id":"a"}'],
    ['a long text', 'x'.repeat(61), null],
    ['a text of several lines', 'a\nb', null],
    ['blanks', '  ', null],
    ['nothing', null, null],
    ['a secret', 'hunter22', '***'],
  ])('as themselves, where they are short: %s', async (_, value, name) => {
    expect((await namesOf([value, 'other'])).names?.first).toEqual([name, 'other']);
  });

  test('nothing, if none is short', async () => {
    expect((await namesOf(['x'.repeat(61), { text: 'y'.repeat(61) }])).names).toBeUndefined();
    expect((await namesOf([])).names).toBeUndefined();
  });

  test.each<[string, Template, string | null]>([
    ['a field', [item('name')], 'Alice'],
    ['a text of several', [item('n'), '. ', item('name'), ' of ', { kind: 'arg', name: 'city', path: [] }], '7. Alice of Bern'],
    ['the position', ['no ', { kind: 'variable', name: 'index', path: [] }], 'no 0'],
    ['on one line, without what steers a terminal', ['a\n\u001b[2J', item('name')], 'a [2JAlice'],
    ['cut', ['x'.repeat(100)], `${'x'.repeat(59)}…`],
    ['without secrets, where it is cut within one', ['x'.repeat(55), item('key')], `${'x'.repeat(55)}***`],
    ['no value of a secret arg', [{ kind: 'arg', name: 'key', path: [] }], 'secret://env/KEY'],
    ['what is not there', [item('nothing')], null],
  ])('as the label says: %s', async (_, label, name) => {
    const { names } = await namesOf([{ name: 'Alice', n: 7, key: 'hunter22' }, { name: 'B' }], { label });
    expect(names?.first[0] ?? null).toBe(name);
  });

  test('by the names that the loop has for item and position', async () => {
    const label: Template = [{ kind: 'variable', name: 'who', path: [] }, ' ', { kind: 'variable', name: 'n', path: [] }];
    expect((await namesOf(['a', 'b'], { label, itemVar: 'who', indexVar: 'n' })).names?.first).toEqual(['a 0', 'b 1']);
  });

  test('so many as come with the list, and the others with them in the store', async () => {
    const many = Array.from({ length: NAMES_AHEAD + 1 }, (_, i) => i);
    const { names, rest } = await namesOf(many);
    expect(names?.first).toHaveLength(NAMES_AHEAD);
    expect(rest).toEqual(many.map(String));
    expect((await namesOf(many.slice(1))).names?.list).toBeUndefined();
  });

  test('by their numbers alone, if they are too many', async () => {
    expect((await namesOf(Array.from({ length: 10_001 }, (_, i) => i))).names).toBeUndefined();
  });
});
