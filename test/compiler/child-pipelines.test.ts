import { createHash } from 'node:crypto';
import { compilePipeline, type Sources } from '../../compiler';
import type { Plan } from '../../plan/plan';

function folder(files: Record<string, string>): Sources & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    list: () => [],
    read: (path) => {
      asked.push(path);
      return Object.hasOwn(files, path) ? files[path] : undefined;
    },
  };
}

const PARENT =
  'name: p\nsteps:\n- {id: a, pipeline: x/child.yaml}\n- {id: b, pipeline: ./x/child.yaml}\n- {id: c, pipeline: x/other.yaml}\n';
const FILES = {
  'x/child.yaml': 'name: child\nsteps: [{id: a, agent: w, prompt: Say so.}]\n',
  'x/other.yaml': 'name: other\nsteps: [{id: a, pipeline: child.yaml}]\n',
  'x/agents/w.yaml': 'role: Works.\n',
};

function childPlans(plan: Plan | undefined): string[] {
  return (plan?.block.steps ?? []).flatMap((step) => (step.kind === 'pipeline' ? [step.plan] : []));
}

describe('child pipelines', () => {
  it('are compiled once, however often and from wherever they are named', () => {
    const sources = folder(FILES);
    const { plan } = compilePipeline('p.yaml', PARENT, sources);
    const [a, b, c] = childPlans(plan);
    expect(a).toBe(b);
    expect(c).not.toBe(a);
    expect(sources.asked.filter((path) => path === 'x/child.yaml')).toHaveLength(1);
  });

  it('bring their plans and all that these name into the blobs of the parent', () => {
    const compiled = compilePipeline('p.yaml', PARENT, folder(FILES));
    if (!compiled.plan) throw new Error('it should compile');
    const wanted = childPlans(compiled.plan);
    for (const digest of wanted) {
      const blob = compiled.blobs.get(digest);
      expect(
        createHash('sha256')
          .update(blob?.content ?? '')
          .digest('hex'),
      ).toBe(digest);
      const child: Plan = JSON.parse(blob?.content ?? 'null');
      for (const named of JSON.stringify(child.block).match(/[0-9a-f]{64}/g) ?? []) expect(compiled.blobs.has(named)).toBe(true);
      for (const { definition } of Object.values(child.agents ?? {})) expect(compiled.blobs.has(definition)).toBe(true);
    }
  });

  it('have the plan that they have alone', () => {
    const compiled = compilePipeline('p.yaml', PARENT, folder(FILES));
    const alone = compilePipeline('x/child.yaml', FILES['x/child.yaml'], folder(FILES));
    expect(childPlans(compiled.plan)[0]).toBe(alone.plan && alone.planSha256);
  });

  it('have each mistake reported once, at its place, with the way that leads there', () => {
    const files = { ...FILES, 'x/child.yaml': 'name: child\nsteps: [{id: a, agent: w, prmpt: Say so.}]\n' };
    const { diagnostics } = compilePipeline('p.yaml', PARENT, folder(files));
    expect(diagnostics.map((d) => [d.file, d.code, d.line])).toEqual([['x/child.yaml', 'shape.unknown-key', 2]]);
    expect(diagnostics[0]?.includedFrom).toEqual([{ file: 'p.yaml', line: 3, column: 21 }]);
  });

  it('print the circle in which they hold each other, where it closes', () => {
    const files = {
      'x/a.yaml': 'name: a\nsteps: [{id: s, pipeline: b.yaml}]\n',
      'x/b.yaml': 'name: b\nsteps: [{id: s, pipeline: a.yaml}]\n',
    };
    const { diagnostics } = compilePipeline('p.yaml', 'name: p\nsteps: [{id: s, pipeline: x/a.yaml}]\n', folder(files));
    expect(diagnostics.map((d) => [d.file, d.code])).toEqual([['x/b.yaml', 'pipeline.cycle']]);
    expect(diagnostics[0]?.message).toContain('x/a.yaml → x/b.yaml → x/a.yaml');
    expect(diagnostics[0]?.includedFrom?.map((place) => place.file)).toEqual(['x/a.yaml', 'p.yaml']);
  });

  it('are compiled in linear time if each names the next level twice', () => {
    const level = (next: string): string => `name: l\nsteps: [{id: a, pipeline: ${next}}, {id: b, pipeline: ${next}}]\n`;
    const files: Record<string, string> = { '5.yaml': 'name: l\nsteps: [{id: a, run: x}]\n' };
    for (let i = 1; i < 5; i++) files[`${i}.yaml`] = level(`${i + 1}.yaml`);
    const sources = folder(files);
    expect(compilePipeline('p.yaml', level('1.yaml'), sources).plan).toBeDefined();
    expect(sources.asked).toHaveLength(5);
  });
});
