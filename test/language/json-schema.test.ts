import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { load } from 'js-yaml';
import { DIAGNOSTICS, type DiagnosticCode } from '../../compiler/diagnostics/codes';
import { severityOf } from '../../compiler/diagnostics/severity';
import { agentSchema, pipelineSchema } from '../../compiler/language/json-schema';
import { filesOf, goldenCases } from '../compiler/golden-case';

const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false, allErrors: true });
const fitsPipeline = ajv.compile(pipelineSchema());
const fitsAgent = ajv.compile(agentSchema());

const PIPELINES = join(__dirname, '..', '..', 'pipelines');
const TEAMS = join(__dirname, '..', '..', 'teams');
const yamlFiles = (folder: string): string[] => readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));

const cases = goldenCases().filter((one) => !/\.(?:lobster|md)$/.test(filesOf(one).file));
/** Cases whose `expect` has only warnings, apart from those of scripts. test/compiler checks `expect`. */
const compiling = cases.filter(({ sections }) => codesOf(sections.get('expect') ?? '').every((code) => severityOf(code) === 'warning'));
/** Cases with `shape.unknown-key` in the pipeline itself. A line about another file has that file's name before the code. */
const withUnknownKey = cases.filter(({ sections }) => /^shape\.unknown-key@/m.test(sections.get('expect') ?? ''));

function codesOf(expect: string): DiagnosticCode[] {
  const codes = Object.keys(DIAGNOSTICS) as DiagnosticCode[];
  const lines = expect.split('\n').filter((line) => line !== '' && !line.startsWith('scripts/'));
  return lines.flatMap((line) => codes.filter((code) => line.startsWith(`${code}@`) || line.includes(` ${code}@`)));
}

function readCase(one: (typeof cases)[number]): unknown {
  const { file, files } = filesOf(one);
  return load(files.get(file) ?? '');
}

function complaints(fits: typeof fitsPipeline, value: unknown): string[] {
  return fits(value) ? [] : (fits.errors ?? []).map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
}

describe('the JSON Schema of pipelines', () => {
  it.each(yamlFiles(PIPELINES).filter((name) => !name.endsWith('.test.yaml')))('takes the shipped %s', (name) => {
    expect(complaints(fitsPipeline, load(readFileSync(join(PIPELINES, name), 'utf8')))).toEqual([]);
  });

  it.each(compiling.map((one) => [one.name, one] as const))('takes %s, which compiles', (_, one) => {
    expect(complaints(fitsPipeline, readCase(one))).toEqual([]);
  });

  it.each(withUnknownKey.map((one) => [one.name, one] as const))('refuses %s for its unknown key', (_, one) => {
    expect(complaints(fitsPipeline, readCase(one)).join('\n')).toContain('must NOT have additional properties');
  });

  it('takes a team, and refuses what a pipeline alone has in it, and members in a pipeline', () => {
    const team = { name: 'crew', members: [{ name: 'alice', agent: 'dev' }] };
    const steps = [{ id: 'a', run: 'true' }];
    expect(complaints(fitsPipeline, team)).toEqual([]);
    for (const more of [{ steps }, { trigger: 'manual' }, { args: {} }, { until: 'idle' }, { task: 'Fix it' }])
      expect(fitsPipeline({ ...team, ...more })).toBe(false);
    expect(fitsPipeline({ name: 'crew', tasks: [] })).toBe(false);
  });

  it.each(yamlFiles(TEAMS).filter((name) => !name.endsWith('.test.yaml')))('takes the shipped team %s', (name) => {
    expect(complaints(fitsPipeline, load(readFileSync(join(TEAMS, name), 'utf8')))).toEqual([]);
  });

  it('refuses an unknown key of a step, wherever the step is', () => {
    const step = { id: 'a', run: 'true', tiemout: '3s' };
    const places: unknown[][] = [
      [step],
      [{ id: 'p', branches: [step] }],
      [{ id: 'p', branches: [{ id: 'g', steps: [step] }] }],
      [{ id: 'l', for_each: '$x.json', steps: [step] }],
    ];
    for (const steps of places) {
      expect(fitsPipeline({ name: 'p', steps })).toBe(false);
      expect(fitsPipeline(JSON.parse(JSON.stringify({ name: 'p', steps }).replace('tiemout', 'timeout')))).toBe(true);
    }
    expect(fitsPipeline({ name: 'p', steps: [{ id: 'b', run: 'true' }], finally: [step] })).toBe(false);
  });

  it('refuses two spellings of one key', () => {
    expect(fitsPipeline({ name: 'p', steps: [{ id: 'a', run: 'true', needs: ['b'], depends_on: ['b'] }] })).toBe(false);
    expect(fitsPipeline({ name: 'p', steps: [{ id: 'a', run: 'true', timeout: '3s', timeout_ms: 3 }] })).toBe(false);
    expect(fitsPipeline({ name: 'p', steps: [{ id: 'a', run: 'true', argv: ['true'] }] })).toBe(false);
  });
});

describe('the JSON Schema of agents', () => {
  it.each(yamlFiles(join(PIPELINES, 'agents')))('takes the shipped %s', (name) => {
    expect(complaints(fitsAgent, load(readFileSync(join(PIPELINES, 'agents', name), 'utf8')))).toEqual([]);
  });

  it('refuses an unknown key', () => {
    expect(fitsAgent({ role: 'Judges.', modle: 'x' })).toBe(false);
  });
});
