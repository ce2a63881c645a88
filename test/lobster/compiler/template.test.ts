import { argsTemplate, type TextNames, textTemplate, valueTemplate } from '../../../compiler/lobster/text/template';
import { evaluate, render } from '../../../plan/expressions/evaluate';
import { knownResults, scopeOf, type Values } from './scope';

function names(unknown: string[] = []): TextNames {
  return { args: new Set(['city']), results: knownResults(), unknown: ({ written }) => unknown.push(written) };
}

function text(template: string, values: Values): string {
  return render(textTemplate(template, names()), scopeOf(values));
}

describe('references within text', () => {
  it('to args are put in as they are, whatever they hold', () => {
    const args = { city: `a 'b' "c" $(d) \`e\`\n-f` };
    expect(text(`echo \${city}.`, { args })).toBe(`echo ${args.city}.`);
  });

  it.each([
    [3, '3'],
    [true, 'true'],
    [null, 'null'],
    [[1, null, ['x', { a: 1 }]], '1,,x,[object Object]'],
    [{ toString: 1, valueOf: 1 }, '[object Object]'],
  ])('to the arg %j read %s, as JavaScript writes it', (city, expected) => {
    expect(text(`\${city}`, { args: { city } })).toBe(expected);
  });

  it('to args that the run does not have stay as they are', () => {
    expect(text(`\${city} \${HOME} \${a.b} \${} $city`, {})).toBe(`\${city} \${HOME} \${a.b} \${} $city`);
    expect(text(`\${other}`, { args: { other: 'given all the same' } })).toBe('given all the same');
  });

  it('to outputs are JSON without blanks if they are no text, and nothing if there is none', () => {
    const output = { o: { a: [1, 'x'] }, t: 'plain "text"', n: null, z: 0, f: false, list: [{ b: 'deep' }] };
    expect(text('<$a.json.o|$a.json.t|$a.json.n|$a.json.z|$a.json.f|$a.json.gone.x|$a.json.list.0.b>', { output })).toBe(
      '<{"a":[1,"x"]}|plain "text"||0|false||deep>',
    );
    expect(text('$a.json', { output: ['x', 1] })).toBe('["x",1]');
  });

  it('to records: flags that are not set, and fields that nobody has', () => {
    expect(
      text('$a.stdout|$a.id|$a.approved|$gate.approved|$b.skipped|$a.skipped|$a.error|$gate.error|$a.nonsense', { stdout: 'out\n' }),
    ).toBe('out\n|a|false|true|true|false||true|');
  });

  it('to a loop’s item are its value, or its text', () => {
    expect(text('$item.json.n $item.stdout $item.id', { item: { n: 1 } })).toBe('1 {"n":1} item');
    expect(text('$item.stdout', { item: 'as it is' })).toBe('as it is');
  });

  it('end where the path does', () => {
    expect(text('$a.stdout.', { stdout: 'x' })).toBe('x.');
    expect(text('$a.json. $a.json, $a.json-x', { output: 1 })).toBe('1. 1, 1-x');
  });

  it('to unknown steps stay as they are, and are reported', () => {
    const unknown: string[] = [];
    expect(textTemplate(`$nobody.json $9.99 \${nope} $.x $a`, names(unknown))).toEqual([
      '$nobody.json $9.99 ',
      expect.anything(),
      ' $.x $a',
    ]);
    expect(unknown).toEqual(['$nobody.json', '$9.99', `\${nope}`]);
  });
});

describe('a value that is one reference', () => {
  it('keeps its type', () => {
    const [only, ...more] = valueTemplate(' $a.json.list ', names()) ?? [];
    expect(more).toEqual([]);
    expect(typeof only === 'object' && evaluate(only, scopeOf({ output: { list: [1, 2] } }))).toEqual([1, 2]);
  });

  it('and leads nowhere is no template', () => {
    expect(valueTemplate('$nobody.json', names())).toBeUndefined();
  });

  it('with text around it is text', () => {
    expect(render(valueTemplate('is $a.json', names()) ?? [], scopeOf({ output: [1] }))).toBe('is [1]');
  });
});

it('a folder has args put in and nothing else', () => {
  expect(render(argsTemplate(`/tmp/\${city}/$a.json`, names()), scopeOf({ args: { city: 'x' }, output: 1 }))).toBe('/tmp/x/$a.json');
});
