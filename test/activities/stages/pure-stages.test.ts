import type { Item } from '../../../activities/stages/items/item';
import { failureOf } from '../workshop';
import { out, stage } from './pipe';

const MAIL: Item[] = [
  { id: 1, from: 'ada', size: 30, tags: ['x', 'y'], sender: { domain: 'a.org' } },
  { id: 2, from: 'bob', size: 4, unread: true, sender: { domain: 'b.org' } },
  { id: 3, from: 'ada', size: null },
  { id: 4 },
];
const ids = (items: unknown) => (items as { id: number }[]).map(({ id }) => id);

describe('pick', () => {
  test('keeps the named fields in the named order, a path being a key like any other', async () => {
    expect(await out([{ b: 1, a: 2, 'b.c': 3, d: 4 }], stage('pick', ' a , b.c,'))).toEqual([{ a: 2, 'b.c': 3 }]);
  });

  test('leaves a missing field out, and what is not an object as it is', async () => {
    expect(await out([{ a: 1 }, 'text', null, 7], stage('pick', 'b'))).toEqual([{}, 'text', null, 7]);
  });

  test('never reaches a prototype', async () => {
    expect(await out([{}], stage('pick', '__proto__,constructor'))).toEqual([{}]);
    expect(await out([JSON.parse('{"__proto__": 1}')], stage('pick', '__proto__'))).toEqual([JSON.parse('{"__proto__": 1}')]);
  });
});

describe('where', () => {
  test.each<[string, number[]]>([
    ['from=ada', [1, 3]],
    ['from==ada', [1, 3]],
    ['from!=ada', [2, 4]],
    ['size>=30', [1]],
    ['size < 30', [2, 3]],
    ['sender.domain==b.org', [2]],
    ['unread=true', [2]],
    ['unread=1', [2]],
    ['size=null', [3, 4]],
    ['tags.length>1', [1]],
    ['id>x', []],
  ])('%s', async (condition, expected) => {
    expect(ids(await out(MAIL, stage('where', condition)))).toEqual(expected);
  });

  test('compares as JavaScript does: numbers with numeric text, texts by their letters, null as zero', async () => {
    const values = [{ v: '10' }, { v: 9 }, { v: 'b' }, { v: null }, { v: [10] }, { v: {} }, {}];
    expect(await out(values, stage('where', 'v=10'))).toEqual([{ v: '10' }, { v: [10] }]);
    expect(await out(values, stage('where', 'v<10'))).toEqual([{ v: 9 }, { v: null }]);
    expect(await out(values, stage('where', 'v>a'))).toEqual([{ v: 'b' }]);
    expect(await out(values, stage('where', 'v!=null'))).toHaveLength(5);
  });

  test('has no item of what has no fields', async () => {
    expect(await out([1, 'text', null], stage('where', 'length>0'))).toEqual([]);
  });
});

describe('head', () => {
  test('takes ten if no number is given', async () => {
    const many = Array.from({ length: 12 }, (_, i) => i);
    expect(await out(many, stage('head'))).toHaveLength(10);
    expect(await out(many, stage('head', { n: '3' }))).toEqual([0, 1, 2]);
    expect(await out(many, stage('head', { n: '0' }))).toEqual([]);
  });
});

describe('map', () => {
  test('wraps and unwraps', async () => {
    expect(await out([1, { a: 2 }], stage('map', { wrap: 'w' }))).toEqual([{ w: 1 }, { w: { a: 2 } }]);
    expect(await out([{ w: 1 }, { w: { a: 2 } }, {}, 'text'], stage('map', { unwrap: 'w' }))).toEqual([1, { a: 2 }, null, null]);
  });

  test('adds fields, each seeing those before it', async () => {
    expect(await out([{ id: 7, a: { b: [1] } }], stage('map', 'x=1', 'y={{id}}/{{x}}', 'z={{a.b}}{{missing}}', '=no', 'nor'))).toEqual([
      { id: 7, a: { b: [1] }, x: '1', y: '7/1', z: '[1]' },
    ]);
  });

  test('makes an object of what is none', async () => {
    expect(await out([5, ['x'], null], stage('map', 'k={{.}}'))).toEqual([
      { value: 5, k: '5' },
      { value: ['x'], k: '["x"]' },
      { value: null, k: '' },
    ]);
  });

  test('sees, if it wraps too, the item as it came in', async () => {
    expect(await out([{ id: 1 }], stage('map', { wrap: 'w' }, 'k={{id}}', 'l={{w}}'))).toEqual([{ w: { id: 1 }, k: '1', l: '' }]);
  });

  test('writes a field named __proto__ as a field', async () => {
    const [made] = (await out([{}], stage('map', '__proto__=x'))) as object[];
    expect(Object.getOwnPropertyNames(made)).toEqual(['__proto__']);
  });
});

describe('sort', () => {
  const values = [{ k: 10 }, { k: null }, { k: 9 }, { k: 'b' }, { n: 1 }, { k: 9, n: 2 }];

  test('is stable, and puts what is null or missing last', async () => {
    const sorted = [{ k: 9 }, { k: 9, n: 2 }, { k: 10 }, { k: null }, { n: 1 }];
    expect(
      await out(
        values.filter(({ k }) => k !== 'b'),
        stage('sort', { key: 'k' }),
      ),
    ).toEqual(sorted);
  });

  test('turned round, puts it first, as Lobster does', async () => {
    expect(await out([{ k: 1 }, {}, { k: 2 }], stage('sort', { key: 'k', desc: true }))).toEqual([{}, { k: 2 }, { k: 1 }]);
  });

  test('compares numbers by value and anything else by text', async () => {
    expect(await out([10, 9, 100], stage('sort'))).toEqual([9, 10, 100]);
    expect(await out(['10', 9, '100'], stage('sort'))).toEqual(['10', '100', 9]);
    expect(await out([{ a: { b: 2 } }, { a: { b: 1 } }], stage('sort', { key: 'a.b' }))).toEqual([{ a: { b: 1 } }, { a: { b: 2 } }]);
  });
});

describe('dedupe and groupBy', () => {
  test('dedupe keeps the first of each key, or of each whole item', async () => {
    expect(ids(await out(MAIL, stage('dedupe', { key: 'from' })))).toEqual([1, 2, 4]);
    expect(await out([1, '1', 1, { a: 1 }, { a: 1 }], stage('dedupe'))).toEqual([1, '1', { a: 1 }]);
  });

  test('groupBy outputs {key, items, count} in the order of first appearance', async () => {
    expect(await out(MAIL, [stage('pick', 'id,from'), stage('groupBy', { key: 'from' })])).toEqual([
      {
        key: 'ada',
        items: [
          { id: 1, from: 'ada' },
          { id: 3, from: 'ada' },
        ],
        count: 2,
      },
      { key: 'bob', items: [{ id: 2, from: 'bob' }], count: 1 },
      { items: [{ id: 4 }], count: 1 },
    ]);
  });
});

describe('a stage with wrong arguments', () => {
  test.each([
    [stage('pick'), 'pick requires a comma-separated field list'],
    [stage('where'), 'where requires an expression (e.g. field=value)'],
    [stage('where', 'a b'), 'where: Invalid where expression: a b'],
    [stage('head', { n: 'x' }), 'head --n must be a non-negative number'],
    [stage('head', { n: '-1' }), 'head --n must be a non-negative number'],
    [stage('map', { wrap: 'a', unwrap: 'b' }), 'map cannot use both --wrap and --unwrap'],
    [stage('groupBy'), 'groupBy requires --key'],
  ])('fails with its name first: $name', async (call, message) => {
    expect(await failureOf(out([{}], call))).toMatchObject({ code: 'stage.failed', message });
  });
});
