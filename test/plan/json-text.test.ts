import { jsonText, parseBoxed, parseJson } from '../../plan/text/json-text';
import { compareNumbers, numberOf } from '../../plan/text/numbers';
import { spellingAt } from '../../plan/text/spelled-json';

describe('numbers of JSON', () => {
  test.each([
    ['1', 1],
    ['-7.25', -7.25],
    ['1.10', 1.1],
    ['1.0', 1],
    ['1e3', 1000],
    ['-0', -0],
    ['0.0', 0],
    ['0.10000000000000001', 0.1],
    ['9007199254740992', 9007199254740992],
    ['1000000000000000000000', 1e21],
    ['1234567890123456789', '1234567890123456789'],
    ['9007199254740993', '9007199254740993'],
    ['123e456', '123e456'],
    ['-1e999', '-1e999'],
    ['1e-999', '1e-999'],
    ['3.14159265358979323846', '3.14159265358979323846'],
    ['12345678901234567.89', '12345678901234567.89'],
  ])('%s is read as %p and written as it was', (text, value) => {
    expect(numberOf(text)).toBe(value);
    for (const whole of [`[${text}]`, `{"a":{"b":[${text},"1.10"]},"c":${text}}`]) expect(jsonText(parseJson(whole))).toBe(whole);
    expect(jsonText(parseJson(`{"1":${text},"0":true}`))).toBe(`{"0":true,"1":${text}}`);
    expect(parseJson(`[${text}]`)).toEqual([value]);
    expect(jsonText(parseBoxed(` ${text}\n`))).toBe(`{"value":${text}}`);
  });

  it('leaves alone what only looks like a number within a text', () => {
    const text = '{"at":"2026-11-28T01:00:00.120Z","sha \\" 1e5":"1234567890123456789 1.10","n":1.50}';
    expect(jsonText(parseJson(text))).toBe(text);
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('reads as JSON.parse does whatever else there is', () => {
    for (const text of [
      '{"a":1.0,"a":1}',
      '{"a":{"x":1.10},"a":{"x":2}}',
      '{"__proto__":{"x":1.0},"b":[[],{},[1.0,null,true,false,"\\u0031\\n"]]}',
      '[1.0,[2,[3.0]],{}]',
      ' [ 1.0 , -0 , "" ] ',
    ]) {
      expect(parseJson(text)).toEqual(JSON.parse(text));
      expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    }
    expect(jsonText(parseJson('{"a":1.0,"a":1}'))).toBe('{"a":1}');
    for (const text of ['', '1.10.', '[1.0', '01.0', '1.0 2', '{"a":.50}', 'NaN']) expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it('skips one byte order mark', () => {
    expect(parseJson('\uFEFF{"a":1.50}')).toEqual({ a: 1.5 });
    expect(() => parseJson('\uFEFF\uFEFF1')).toThrow(SyntaxError);
  });

  it('forgets how a number was written when another value is put in its place', () => {
    const value = parseJson('{"a":1.10,"b":1234567890123456789}') as Record<string, unknown>;
    Object.assign(value, { a: 2, b: 'text' });
    expect(spellingAt(value, 'a')).toBeUndefined();
    expect(jsonText(value)).toBe('{"a":2,"b":"text"}');
  });

  it('quotes what JavaScript would round for readers that are not ours', () => {
    expect(jsonText(parseJson('[1.10,1234567890123456789]'), { long: 'quoted' })).toBe('[1.10,"1234567890123456789"]');
  });

  it('lays JSON out as JSON.stringify does', () => {
    const value = { a: [1, { b: [] as number[], c: {} }], d: 'x' };
    const remembered = { ...value, e: parseJson('[1.5,2.50]') };
    expect(jsonText(remembered, { step: '  ' }).replace('2.50', '2.5')).toBe(JSON.stringify(remembered, null, 2));
  });

  it.each([
    ['1234567890123456781', '1234567890123456782', -1],
    ['99999999999999999999', '1234567890123456789012', -1],
    ['-99999999999999999999', '1', -1],
    ['-99999999999999999999', '-1234567890123456789012', 1],
    ['123e456', 5, 1],
    ['1e-999', 0, 1],
    ['10', '1e1', 0],
  ])('%s and %s are ordered by their exact values', (a, b, order) => {
    expect(Math.sign(compareNumbers(a, b))).toBe(order);
    expect(Math.sign(compareNumbers(b, a))).toBe(0 - order);
  });
});
