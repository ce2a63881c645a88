import { createHash } from 'node:crypto';
import { type Compiled, compilePipeline } from '../../compiler';
import { canonicalText } from '../../plan/text/json-text';
import { goldenCases, sourcesOf } from './golden-case';

const seed = goldenCases().find(({ name }) => name === 'valid.seed-002.case')!;
const whole = goldenCases().find(({ name }) => name === 'valid.sequence.case')!;

function compile(sections: ReadonlyMap<string, string>, text = sections.get('pipeline.yaml') ?? ''): Compiled {
  const compiled = compilePipeline('pipeline.yaml', text, sourcesOf(sections));
  if (!compiled.plan) throw new Error(compiled.diagnostics[0]?.message);
  return compiled;
}

describe('a compiled pipeline', () => {
  it('is the same bytes for the same text', () => {
    const [one, other] = [compile(whole.sections), compile(whole.sections)];
    expect(one.planText).toBe(other.planText);
    expect([...one.blobs]).toEqual([...other.blobs]);
  });

  it('keeps its digest when only the order of keys in a schema changes', () => {
    const sections = new Map(seed.sections);
    const schema = '{"type": "object", "title": "x"}';
    const digestWith = (text: string): string => compile(new Map([...sections, ['schemas/Strategy_Thesis.schema.json', text]])).planSha256;
    expect(digestWith(schema)).toBe(digestWith('{"title":"x","type":"object"}'));
    expect(digestWith(schema)).not.toBe(compile(sections).planSha256);
  });

  it('is canonical JSON under its own digest', () => {
    const { plan, planText, planSha256 } = compile(whole.sections);
    expect(planText).toBe(canonicalText(plan));
    expect(JSON.parse(planText)).toEqual(plan);
    expect(createHash('sha256').update(planText).digest('hex')).toBe(planSha256);
    expect(plan.source).toBe(
      createHash('sha256')
        .update(whole.sections.get('pipeline.yaml') ?? '')
        .digest('hex'),
    );
  });

  it('has a blob of the right content for every digest it names', () => {
    const { planText, blobs, plan } = compile(whole.sections);
    for (const digest of planText.match(/[0-9a-f]{64}/g) ?? []) if (digest !== plan.source) expect(blobs.has(digest)).toBe(true);
    for (const [digest, { content }] of blobs) expect(createHash('sha256').update(content).digest('hex')).toBe(digest);
    expect(new Set([...blobs.values()].map((blob) => blob.mediaType))).toEqual(new Set(['application/json', 'application/schema+json']));
  });

  it('carries prompts as templates with their references found', () => {
    const { plan, blobs } = compile(whole.sections);
    const draft = plan.block.steps[0];
    const prompt = draft?.kind === 'agent' ? blobs.get(draft.prompt ?? '')?.content : undefined;
    const reference = (name: string) => ({ kind: 'arg', name, path: [] });
    expect(JSON.parse(prompt ?? 'null')).toEqual([
      'Write about ',
      reference('market'),
      ', ',
      reference('depth'),
      ` parts.\nLiteral: \${not}.\n`,
    ]);
  });

  it('reads exactly what control needs of each step', () => {
    const { plan } = compile(seed.sections);
    const reads = plan.block.steps.filter((step) => step.reads).map((step) => [step.id, step.reads]);
    expect(reads).toEqual([['review', [['verdict']]]]);
  });

  it('climbs from the owner to a human if the file names no escalation', () => {
    expect(compile(seed.sections).plan.escalation).toEqual([{ kind: 'agent', id: 'ceo_coo', decides: 'human' }, { kind: 'human' }]);
  });

  it('takes a thousand steps in sequence, each reading the one before', () => {
    const steps = Array.from({ length: 1000 }, (_, i) => `  - {id: s${i}, run: "echo${i > 0 ? ` \${s${i - 1}}` : ''}"}\n`);
    const { plan } = compile(new Map(), `name: long\nsteps:\n${steps.join('')}`);
    expect(plan.block.steps).toHaveLength(1000);
    expect(plan.block.steps[999]?.inputs).toEqual(['s998']);
  });

  it('does not follow an agent’s id out of the folder', () => {
    const asked: string[] = [];
    const sources = { read: (path: string) => void asked.push(path), list: () => [] };
    compilePipeline('p/pipeline.yaml', 'name: p\nsteps:\n  - {id: a, agent: ../../etc/passwd}\n  - {id: b, agent: x}\n', sources);
    expect(asked).toEqual(['p/agents/x.yaml', 'p/agents/x.yml', 'p/agents/x.md']);
  });
});
