import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compilePipeline, type Sources } from '../../compiler';
import { FolderSources } from '../../worker/folder-sources';
import { scratchFolder } from '../support/scratch-folder';
import { sweepCount } from '../support/sweep';

const none: Sources = { read: () => undefined, list: () => [] };

function codesOf(text: string, sources = none, file = 'p.yaml'): string[] {
  return compilePipeline(file, text, sources).diagnostics.map((d) => d.code);
}

describe('bad input', () => {
  it('of seventeen megabytes is refused without being read', () => {
    expect(codesOf(`name: p\nsteps:\n  - {id: a, run: "${'x'.repeat(17_000_000)}"}\n`)).toEqual(['yaml.too-large']);
  });

  it.each([
    ['an expression', `name: p\nsteps: [{id: a, run: x, when: "${'('.repeat(10_000)}1${')'.repeat(10_000)}"}]`, 'expression.too-complex'],
    ['an action', `name: p\nsteps: [{id: a, run: x, on_error: "${'('.repeat(10_000)}"}]`, 'action.syntax'],
    ['a file', `name: p\nsteps: ${'['.repeat(10_000)}`, 'yaml.too-deep'],
    ['a file of blocks', `name: p\nsteps:\n${nested(60)}`, 'yaml.too-deep'],
  ])('of endless nesting in %s is refused', (_, text, code) => {
    expect(codesOf(text)).toContain(code);
  });

  it('nested as deep as a file may be compiles', () => {
    expect(codesOf(`name: p\nsteps:\n${nested(15)}`)).toEqual([]);
  });

  const MANY = sweepCount(3000, 10_000);
  it(`of ${MANY} mistakes has them all reported, in order`, () => {
    const steps = Array.from({ length: MANY }, (_, i) => `- {id: step_${i}, run: x, when: stepp_${i}}\n`).join('');
    const { diagnostics } = compilePipeline('p.yaml', `name: p\nsteps:\n${steps}`, none);
    expect(diagnostics.map((d) => d.line)).toEqual(Array.from({ length: MANY }, (_, i) => i + 3));
    expect(diagnostics[0]?.hint).toMatch(/step_0/);
  });

  it('is reported if a schema refers to itself in every way: of a part of the value it may, of the same it may not', () => {
    const many = Array.from({ length: 30 }, () => '{"$ref": "#/definitions/a"}').join(',');
    const own = `{"allOf": [${many}], "anyOf": [${many}]}`;
    const within = `{"definitions": {"a": {"properties": {"x": ${own}}}}, "$ref": "#/definitions/a"}`;
    const endless = `{"definitions": {"a": ${own}}, "$ref": "#/definitions/a"}`;
    const text = (schema: string) => `name: p\nsteps:\n- {id: a, run: x, schema: ${schema}}\n- {id: b, run: "\${a.x.x.x}"}\n`;
    expect(codesOf(text(within))).toEqual([]);
    expect(codesOf(text(endless))).toEqual(['schema.invalid']);
  });

  it('is a JSON file of a schema that is nested beyond any stack', () => {
    const read = (path: string): string | undefined => (path.endsWith('.json') ? '['.repeat(400_000) + ']'.repeat(400_000) : undefined);
    const [code] = codesOf('name: p\nsteps: [{id: a, run: x, output: A.json}]', { read, list: () => [] });
    expect(['schema.refused', 'schema.not-json']).toContain(code);
  });
});

function nested(depth: number): string {
  const head = Array.from({ length: depth }, (_, i) => `${'  '.repeat(i)}- id: s${i}\n${'  '.repeat(i)}  branches:\n`).join('');
  return `${head}${'  '.repeat(depth)}- {id: last, run: x}\n`;
}

describe('files that a pipeline names', () => {
  let home: string;
  let outside: string;
  beforeEach(() => {
    home = scratchFolder();
    outside = scratchFolder();
    mkdirSync(join(home, 'agents'));
    writeFileSync(join(outside, 'child.yaml'), 'name: child\nsteps: [{id: a, run: x}]\n');
    writeFileSync(join(outside, 'spy.yaml'), 'role: Spies.\n');
    writeFileSync(join(home, 'child.yaml'), 'name: child\nsteps: [{id: a, run: x}]\n');
  });

  const compiled = (steps: string): string[] => codesOf(`name: p\nsteps:\n${steps}`, new FolderSources(home), join(home, 'pipeline.yaml'));

  it.each(['link.yaml', 'linked/child.yaml'])('are not read if a link leads out of its folder (%s)', (path) => {
    symlinkSync(join(outside, 'child.yaml'), join(home, 'link.yaml'));
    symlinkSync(outside, join(home, 'linked'));
    expect(compiled(`- {id: a, pipeline: ${path}}\n`)).toEqual(['pipeline.missing-file']);
  });

  it('are not read by a path that leads out of its folder', () => {
    expect(compiled(`- {id: a, pipeline: ${join(outside, 'child.yaml')}}\n`)).toEqual(['pipeline.missing-file']);
    expect(compiled(`- {id: a, pipeline: ${relative(home, join(outside, 'child.yaml'))}}\n`)).toEqual(['pipeline.missing-file']);
    expect(compiled('- {id: a, pipeline: agents}\n')).toEqual(['pipeline.missing-file']);
  });

  it('are read through a link that stays in the folder', () => {
    symlinkSync(join(home, 'child.yaml'), join(home, 'link.yaml'));
    expect(compiled('- {id: a, pipeline: link.yaml}\n')).toEqual([]);
  });

  it('are refused as agents if a link leads out', () => {
    symlinkSync(join(outside, 'spy.yaml'), join(home, 'agents', 'spy.yaml'));
    expect(compiled('- {id: a, agent: spy}\n')).toEqual(['step.unknown-agent']);
  });

  it('end in an error if links make a circle of one file', () => {
    writeFileSync(join(home, 'child.yaml'), 'name: child\nsteps: [{id: a, pipeline: twin.yaml}]\n');
    symlinkSync(join(home, 'child.yaml'), join(home, 'twin.yaml'));
    expect(compiled('- {id: a, pipeline: child.yaml}\n')).toEqual(['pipeline.cycle']);
  });
});
