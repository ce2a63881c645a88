import { compileLobsterProgram, compilePipeline } from '../../../compiler';
import { sourcesOf } from './compiled';

const FLOW = `
args: {city: {default: x}}
env: {A: "\${city}"}
steps:
  - {id: a, run: "echo \${city} $a.json", retry: {max: 2}, timeout_ms: 5}
  - {id: b, pipeline: "exec --json 'x | y' | where a.b==1 | head --n 3", stdin: $a.json.0.x, when: "!($a.error || $a.json.n >= 3)"}
  - {id: p, parallel: {wait: any, branches: [{id: c, run: "true"}, {id: d, pipeline: json}]}}
  - {id: l, for_each: $p.json.list, item_var: it, steps: [{id: e, run: "echo $it.json", condition: $it.json.ok == yes}]}
  - {id: q, approval: {prompt: Go?, items: [1]}, stdin: $l.json}
  - {id: i, input: {prompt: Say, responseSchema: {type: object}}}
  - {id: w, workflow: child.lobster, workflow_args: {x: "\${city}"}}
`;
const PIECES = [
  '"',
  "'",
  '$',
  '${',
  '}',
  '|',
  '\\',
  '(',
  '!',
  '[',
  '{',
  ': ',
  '\n',
  '- ',
  '0',
  '__proto__',
  '&a ',
  '*a',
  '\u0000',
  '\ufeff',
  '&&',
  'id: a',
];

/** A fixed sequence of numbers below `limit`. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}

function mutated(text: string, next: (limit: number) => number): string {
  let found = text;
  for (let times = 1 + next(3); times > 0; times--) {
    const at = next(found.length);
    const piece = PIECES[next(PIECES.length)] ?? '';
    found = next(2) === 0 ? found.slice(0, at) + piece + found.slice(at) : found.slice(0, at) + found.slice(at + 1 + next(6));
  }
  return found;
}

describe('whatever the text', () => {
  it('a file has a plan or errors, never neither and never both', () => {
    const next = numbers(42);
    const sources = sourcesOf({ 'child.lobster': 'steps: [{id: a, run: "true"}]' });
    for (let count = 0; count < 500; count++) {
      const text = mutated(FLOW, next);
      const { plan, diagnostics } = compilePipeline('flow.lobster', text, sources);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect([text, plan === undefined]).toEqual([text, errors.length > 0]);
    }
  });

  it('a program has a plan or errors', () => {
    const next = numbers(7);
    for (let count = 0; count < 500; count++) {
      const text = mutated(`exec --json "a b" 'c|d' | map k={{v}} | where x>=3 | approve --prompt "Go?"`, next);
      const { plan, diagnostics } = compileLobsterProgram(text);
      expect([text, plan === undefined]).toEqual([text, diagnostics.some(({ severity }) => severity === 'error')]);
    }
  });
});
