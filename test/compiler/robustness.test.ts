import { compilePipeline, formatDiagnostics, readScript } from '../../compiler';
import { goldenCases, sourcesOf } from './golden-case';

/** A small generator with a fixed seed: the same mutations in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

const SPLINTERS = [
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '"',
  "'",
  ':',
  ': ',
  '- ',
  '\n',
  '\t',
  '#',
  '&a',
  '*a',
  '!',
  '|',
  '>',
  '%',
  '@',
  '`',
  '$',
  '0',
  '-1',
  '1e999',
  'null',
];
const MORE = [
  '~',
  '__proto__',
  'constructor',
  'id',
  '\r\n',
  '\0',
  '\ufeff',
  '\u2028',
  '\ud800',
  '---\n',
  '...\n',
  '? ',
  '<<: ',
  '==',
  '&&',
  '!failed(x)',
  '.nan',
  '  ',
];

function mutate(text: string, random: (below: number) => number): string {
  let mutated = text;
  for (let n = random(4) + 1; n > 0; n--) {
    const at = random(mutated.length + 1);
    const length = random(12);
    const splinters = [...SPLINTERS, ...MORE, `\${`, `\${a}`, mutated.slice(random(mutated.length), random(mutated.length))];
    const put = random(3) === 0 ? '' : (splinters[random(splinters.length)] ?? '');
    mutated = mutated.slice(0, at) + put + mutated.slice(random(2) === 0 ? at : Math.min(mutated.length, at + length));
  }
  return mutated;
}

const valid = goldenCases().filter(({ name }) => name.startsWith('valid'));
const files = valid.flatMap(({ sections }) =>
  [...sections.keys()].filter((name) => name.startsWith('pipeline.')).map((file) => ({ sections, file })),
);

describe('a mutilated file', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))('gives a plan or errors that have a place, and never throws (seed %i)', (seed) => {
    const random = generator(seed * 7919 + 17);
    for (let i = 0; i < 50; i++) {
      const { sections, file } = files[random(files.length)]!;
      const text = mutate(sections.get(file) ?? '', random);
      const others = new Map([...sections].map(([name, body]) => [name, random(5) === 0 ? mutate(body, random) : body]));
      const { plan, diagnostics } = compilePipeline(file, text, sourcesOf(others));
      expect(plan === undefined).toBe(diagnostics.some((d) => d.severity === 'error'));
      for (const d of diagnostics) {
        expect(d.line).toBeGreaterThan(0);
        expect(d.column).toBeGreaterThan(0);
        expect(d.endColumn).toBeGreaterThan(d.column);
        expect(d.startOffset).toBeLessThanOrEqual(d.endOffset);
      }
      expect(formatDiagnostics(diagnostics, { color: true })).toEqual(expect.any(String));
    }
  });

  it.each([1, 2, 3])('is read or refused as a script (seed %i)', (seed) => {
    const random = generator(seed);
    const text = valid.find(({ name }) => name === 'valid.script.case')?.sections.get('scripts/base.yaml') ?? '';
    for (let i = 0; i < 50; i++) {
      const { script, diagnostics } = readScript('scripts/x.yaml', mutate(text, random));
      expect(script === undefined).toBe(diagnostics.some((d) => d.severity === 'error'));
    }
  });
});
