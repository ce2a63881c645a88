import { compilePipeline, type Diagnostic, type Sources } from '../../compiler';

const sources: Sources = {
  read: (path) => (/^agents\/.*\.yaml$/.test(path) ? 'role: Works.\n' : undefined),
  list: () => [],
};

function errorsOf(steps: string): Diagnostic[] {
  return compilePipeline('p.yaml', `name: p\n${steps}\n`, sources).diagnostics.filter(({ severity }) => severity === 'error');
}

describe('a mapping in place of a list says how the list is written, with the names that were written', () => {
  it.each<[where: string, text: string, hint: string, column: number]>([
    ['branches', 'steps: [{id: p, branches: {a: {run: x}, b: {run: y}}}]', 'write a list: `branches: [{id: a, …}, {id: b, …}]`', 27],
    ['parallel', 'steps: [{id: p, parallel: {a: {run: x}, b: {run: y}}}]', 'write a list: `branches: [{id: a, …}, {id: b, …}]`', 28],
    ['parallel, its own keys too', 'steps: [{id: p, parallel: {wait: any, a: {run: x}}}]', 'write a list: `branches: [{id: a, …}]`', 39],
    ['parallel, of texts', 'steps: [{id: p, parallel: {a: echo x, c: echo y}}]', 'write a list: `branches: [{id: a, …}, {id: c, …}]`', 28],
    ['steps', 'steps: {a: {run: x}, b: {run: y}}', 'write a list: `steps: [{id: a, …}, {id: b, …}]`', 8],
    ['steps, of texts', 'steps: {a: echo, b: echo, c: echo, d: echo}', 'write a list: `steps: [{id: a, …}, {id: b, …}, {id: c, …}, …]`', 8],
    ['one step', 'steps: {id: a, run: echo}', 'begin each item of the list with "- "', 8],
    ['steps of a loop', 'steps: [{id: l, for_each: [1], steps: {a: {run: x}}}]', 'write a list: `steps: [{id: a, …}]`', 39],
    ['cases', 'steps: [{id: s, switch: {a: {run: x}}}]', 'write a list: `switch: [{id: a, …}]`', 25],
    ['finally', 'steps: [{id: a, run: x}]\nfinally: {b: {run: y}}', 'write a list: `finally: [{id: b, …}]`', 10],
    ['names', 'steps: [{id: a, run: x}, {id: b, run: y, depends_on: {a: }}]', 'write a list: `depends_on: [a]`', 54],
    [
      'options',
      'steps: [{id: v, type: consensus, voters: [a], proposal: {title: x, options: {A: {description: x}}}}]',
      'write a list: `options: [{id: A, …}]`',
      77,
    ],
    ['words', 'steps: [{id: a, argv: {echo: x}}]', 'begin each item of the list with "- "', 23],
  ])('%s', (_, text, hint, column) => {
    expect(errorsOf(text)).toContainEqual(expect.objectContaining({ hint, column }));
  });

  it('and nothing else is said about the step', () => {
    expect(errorsOf('steps: [{id: p, parallel: {a: {run: x}, b: {run: y}}}]')).toHaveLength(1);
    const misspelt = errorsOf('steps: [{id: p, parallel: {branchs: [{id: a, run: x}]}}]');
    expect(misspelt.map(({ hint }) => hint)).toContainEqual(expect.stringMatching(/^did you mean "branches"\?/));
  });
});

describe('a comma that splits a text within { } says to quote the text', () => {
  it.each<[where: string, text: string, quoted: string]>([
    ['a command', 'steps: [{id: a, run: echo a, b}]', 'run: "echo a, b"'],
    ['several commas', 'steps: [{id: a, run: echo a, b,  c d, timeout: 3s}]', 'run: "echo a, b, c d"'],
    ['over lines', 'steps:\n  - {id: a, run: echo a,\n     b}', 'run: "echo a, b"'],
    ['a key of steps', 'steps: [{id: a, run: echo a, when}]', 'run: "echo a, when"'],
    ['a key of other steps', 'steps: [{id: a, run: echo a, agent}]', 'run: "echo a, agent"'],
    ['a variable', 'steps: [{id: a, run: x, env: {A: one, t w o}}]', 'A: "one, t w o"'],
    ['a value of any kind', 'steps: [{id: a, agent: x, input: {market: BTC, ETH}}]', 'market: "BTC, ETH"'],
    ['a message', 'channels: {"#a": {}}\nsteps: [{id: a, notify: {channel: "#a", message: Done, at last}}]', 'message: "Done, at last"'],
  ])('%s', (_, text, quoted) => {
    const found = errorsOf(text);
    expect(found.map(({ code }) => code)).toEqual(['yaml.split-text']);
    expect(found[0]?.hint).toContain(`quote the text: \`${quoted}\`;`);
  });

  it.each([
    ['in block style', 'steps:\n  - id: a\n    run: echo\n    b:\n'],
    ['behind a quoted text', 'steps: [{id: a, run: "echo a", b}]'],
    ['with a value', 'steps: [{id: a, run: echo a, b: c}]'],
    ['with a colon', 'steps: [{id: a, run: echo a, b: }]'],
    ['in quotes', `steps: [{id: a, run: echo a, 'b'}]`],
    ['first', 'steps: [{b, id: a, run: echo a}]'],
  ])('but not of a key %s', (_, text) => {
    expect(errorsOf(text).map(({ code }) => code)).not.toContain('yaml.split-text');
  });

  it('and args without a value are args', () => {
    expect(errorsOf('args: {a: {type: string}, b, c}\nsteps: [{id: x, run: echo}]')).toEqual([]);
  });
});
