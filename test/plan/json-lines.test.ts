import { jsonLines, jsonLinesReader } from '../../plan/run/json-lines';
import type { Json } from '../../plan/text/json';
import { jsonText, parseJson } from '../../plan/text/json-text';

/** Reads a text a few whole lines at a time. */
function read(text: string, linesAtOnce: number): Json {
  const reader = jsonLinesReader();
  const lines = text.split(/(?<=\n)/);
  for (let at = 0; at < lines.length; at += linesAtOnce) reader.take(lines.slice(at, at + linesAtOnce).join(''));
  return reader.value();
}

const records = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`step-${i}`, { state: 'done', said: `a\nb "${i}" \u2028` }]));

describe('JSON in lines', () => {
  it.each([
    '{"state":{"values":{"$":{"n":1.10,"list":[1e3,1234567890123456789]}}},"n":1.10}',
    '{"records":{"a":1.10,"b":1234567890123456789,"c":{"n":2.50}},"n":1.0}',
    '{"items":[1.10,{"n":2.50},1234567890123456789],"n":1.0}',
    '{"one":1.10}',
  ])('keeps numbers as they were written: %s', (text) => {
    for (const count of [1, 100]) expect(jsonText(read(jsonLines(parseJson<object>(text)), count))).toBe(text);
  });

  it.each([
    ['an object', { opened: { args: {} }, state: { records, signals: { go: [1] } } }],
    ['a list', { irVersion: 2, block: { order: 'graph', steps: Object.values(records) }, finally: { steps: [] } }],
    ['one at the top', { run: 'r', records }],
    ['a key that objects know', { state: JSON.parse('{"a":1,"__proto__":{"b":2},"constructor":3}') as Json }],
    ['one that is empty', { records: {} }],
    ['nothing', { a: 1 }],
  ])('is the same when it is read, whatever is longest in it: %s', (_name, value) => {
    for (const count of [1, 2, 3, 100]) expect(read(jsonLines(value), count)).toEqual(value);
  });

  it('has its longest list or object an entry a line, and says first where it is', () => {
    const [first, second, ...entries] = jsonLines({ opened: [1, 2], state: { records: { a: 1, b: [2], c: null } } }).split('\n');
    expect(first).toBe('["state","records"]');
    expect(second).toBe('{"opened":[1,2],"state":{"records":{}}}');
    expect(entries).toEqual(['"a":1', '"b":[2]', '"c":null']);
  });

  it('keeps the order of its entries', () => {
    const value = { records: Object.fromEntries(['z', 'b', 'y', 'a'].map((key) => [key, 1])) };
    expect(JSON.stringify(read(jsonLines(value), 1))).toBe(JSON.stringify(value));
  });

  it('reads JSON as it is if it is one line', () => {
    expect(read('{"state":{"records":{"a":1}}}', 1)).toEqual({ state: { records: { a: 1 } } });
  });

  it.each(['["a"]\n{"b":{}}\n"x":1', '["a"]\n{"a":1}\n"x":1', '7\n{"a":{}}\n"x":1', '["a"]\n{"a":{}}\n"x"', '["a"]\n{"a":', ''])(
    'is a SyntaxError where it does not read: %j',
    (text) => {
      expect(() => read(text, 1)).toThrow(SyntaxError);
    },
  );
});
