import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDiagnostics } from '../../compiler';
import { loadTests } from '../../compiler/test-file/load-tests';

const CASE = readFileSync(join(__dirname, '..', 'cases', 'shape.unknown-key-test.case'), 'utf8');
const SHIPPED = readFileSync(join(__dirname, '..', '..', 'pipelines', 'daily-quant-guarded.test.yaml'), 'utf8');
const PIPELINE = 'name: p\nsteps: [{id: a, run: x}]\n';
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '"',
  '&a ',
  '*a',
  '!x ',
  '\t',
  '\0',
  'null',
  '1e9',
  '__proto__: ',
  'constructor: ',
  '#',
  '|\n',
  '26h',
  '~',
];
const ROUNDS = 400;

const load = (text: string) =>
  loadTests('p.test.yaml', text, { read: (path) => (path === 'p.yaml' ? PIPELINE : undefined), list: () => [] });

describe('a mutilated test file', () => {
  it('gives tests or errors that have a place, and never throws', () => {
    const random = generator(11);
    for (let round = 0; round < ROUNDS; round++) {
      let text = round % 2 === 0 ? SHIPPED : CASE;
      for (let i = 0; i <= random(3); i++) text = mutated(text, random);
      const { tests, diagnostics } = load(text);
      expect(tests === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'));
      for (const { line, column, endColumn } of diagnostics) expect(line > 0 && column > 0 && endColumn > column).toBe(true);
      expect(formatDiagnostics(diagnostics)).toEqual(expect.any(String));
    }
  });

  it.each(['__proto__', 'constructor', 'toString'])('takes %s for a name like any other', (name) => {
    const text = `commands: {${name}: {stdout: x}}
replies: {${name}: [{text: x}]}
children: {${name}: {}}
tests: [{name: ${name}, args: {${name}: 1}, expect: {steps: {${name}: done}, calls: {${name}: 1}}}]`;
    const codes = load(text).diagnostics.map(({ code }) => code);
    expect(codes).toEqual([
      'test.unknown-step',
      'script.unknown-step',
      'test.no-child',
      'test.bad-args',
      'test.unknown-step',
      'test.unknown-step',
    ]);
  });
});

/** Removes a piece, doubles it, or inserts something. */
function mutated(text: string, random: (below: number) => number): string {
  const at = random(text.length);
  const length = random(12);
  switch (random(3)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length);
    case 1:
      return text.slice(0, at + length) + text.slice(at);
    default:
      return text.slice(0, at) + (PIECES[random(PIECES.length)] ?? '') + text.slice(at);
  }
}

/** Random numbers from 0 up to, not including, `below`; the same ones every time. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
