import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { load } from 'js-yaml';
import { compilePipeline, formatDiagnostics, readScript } from '../../compiler';
import { sweepCount } from '../support/sweep';
import { filesOf, goldenCases, sourcesOf } from './golden-case';

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
  'steps: []',
  'branches:',
  'for_each: ',
  'pipeline: pipeline.yaml',
  'item',
  '[0]',
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

/** Values that may be in the place of the right one. */
const OTHERS = [null, [], {}, 0, 'x', [null], [[]], [{}], { id: null }, true];

/** Undefined if it does not parse, or has aliases: a few lines of these, written out, are gigabytes. */
function parsed(text: string): unknown {
  try {
    return /(?:^|\s)&\w/.test(text) ? undefined : load(text);
  } catch {
    return undefined;
  }
}

function pathsOf(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...at, key], ...pathsOf(inner, [...at, key])]);
}

function replaced(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? replaced(item, rest, other) : item));
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest, other) };
}

const cases = goldenCases();
const PIPELINES = join(__dirname, '..', '..', 'pipelines');

/** Every shipped pipeline with the files next to it, and every golden case. */
const corpus = [...cases.map(filesOf), ...shippedPipelines()];

function shippedPipelines(): { file: string; files: Map<string, string> }[] {
  const paths = readdirSync(PIPELINES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = new Map(paths.map((path) => [relative(PIPELINES, path).split(sep).join('/'), readFileSync(path, 'utf8')]));
  return [...files.keys()].filter((name) => /^[^/]+\.(?:ya?ml|lobster|json)$/.test(name)).map((file) => ({ file, files }));
}

/** Seeds of fifty mutations each; more where somebody has the time (`THERMIDOR_FUZZ=1000`). */
const SEEDS = Number(process.env['THERMIDOR_FUZZ'] ?? sweepCount(16, 40));
const LONGEST = 20_000;

describe('a mutilated file', () => {
  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    'gives a plan or errors that have a place, and never throws (seed %i)',
    (seed) => {
      const random = generator(seed * 7919 + 17);
      for (let i = 0; i < 50; i++) {
        const { file, files } = corpus[random(corpus.length)]!;
        const text = mutate((files.get(file) ?? '').slice(0, LONGEST), random);
        const others = new Map([...files].map(([name, body]) => [name, random(5) === 0 ? mutate(body.slice(0, LONGEST), random) : body]));
        const { plan, diagnostics } = compilePipeline(file, text, sourcesOf(others));
        expect(plan === undefined).toBe(diagnostics.some((d) => d.severity === 'error'));
        for (const d of diagnostics) {
          const fits = d.line > 0 && d.column > 0 && d.endColumn > d.column && d.startOffset <= d.endOffset;
          if (!fits) throw new Error(JSON.stringify(d));
        }
        expect(formatDiagnostics(diagnostics, { color: true })).toEqual(expect.any(String));
      }
    },
  );

  it('gets only whole sentences if any of its values is another', () => {
    const random = generator(SEEDS);
    for (const { file, files } of corpus) {
      const whole = parsed(files.get(file) ?? '');
      if (whole === undefined) continue;
      const paths = pathsOf(whole);
      for (let i = Math.min(paths.length, SEEDS / 8); i > 0; i--) {
        const path = paths[random(paths.length)] ?? [];
        const text = JSON.stringify(replaced(whole, path, OTHERS[random(OTHERS.length)] ?? null));
        const { diagnostics } = compilePipeline(file, text, sourcesOf(files));
        const said = diagnostics.flatMap(({ message, hint = '' }) => [message, hint]);
        const broken = said.filter((sentence) => /\bundefined\b|\bNaN\b|\[object /.test(sentence) && !text.includes('undefined'));
        expect({ path, broken }).toEqual({ path, broken: [] });
      }
    }
  });

  it.each([1, 2, 3])('is read or refused as a script (seed %i)', (seed) => {
    const random = generator(seed);
    const text = cases.find(({ name }) => name === 'valid.script.case')?.sections.get('scripts/base.yaml') ?? '';
    for (let i = 0; i < 50; i++) {
      const { script, diagnostics } = readScript('scripts/x.yaml', mutate(text, random));
      expect(script === undefined).toBe(diagnostics.some((d) => d.severity === 'error'));
    }
  });
});
