import { out, rendered, run, stage } from './pipe';

describe('json', () => {
  test('writes the items and lets none on', async () => {
    expect(await run([1, { a: 2 }], stage('json'))).toEqual({ kind: 'done', items: [], rendered: '[\n  1,\n  {\n    "a": 2\n  }\n]\n' });
    expect(await rendered([], stage('json'))).toBe('[]\n');
  });
});

describe('table', () => {
  test('has a column for every key of the first items, no narrower than three', async () => {
    const items = [{ a: 1, name: 'x y' }, { a: 22, deep: { b: [1] }, name: null }, 'no object'];
    expect(await rendered(items.slice(0, 2), stage('table'))).toBe(
      ['a    name  deep     ', '---  ----  ---------', '1    x y            ', '22         {"b":[1]}', ''].join('\n'),
    );
  });

  test('looks for its columns in the first twenty items alone', async () => {
    const items = [...Array.from({ length: 20 }, () => ({ a: 1 })), { a: 2, late: true }, 'text'];
    const lines = (await rendered(items, stage('table'))).split('\n');
    expect([lines[0], lines[22], lines[23]]).toEqual(['a  ', '2  ', '   ']);
  });

  test('keeps a picked field’s column if no item has it, and a cell on one line', async () => {
    expect(await rendered([{ a: 'x\ny' }], [stage('pick', 'a,b'), stage('table')])).toBe('a    b  \n---  ---\nx y     \n');
  });

  test('writes one item to a line if they are not all objects, and says when there are none', async () => {
    expect(await rendered([1, 'x', { a: 1 }, null], stage('table'))).toBe('1\nx\n{"a":1}\n\n');
    expect(await rendered([], stage('table'))).toBe('(no results)\n');
  });

  test('two renderers write one after the other', async () => {
    expect(await rendered([1], [stage('json'), stage('table')])).toBe('[\n  1\n]\n(no results)\n');
    expect(await out([1], [stage('json'), stage('head')])).toEqual([]);
  });
});
