import { compilePipeline } from '../../compiler/compile';
import { NO_INSTALLATION } from '../../compiler/installation';
import { templatesIn } from '../../plan/expressions/form';
import { writeTemplate } from '../../plan/expressions/write-expression';
import type { Plan } from '../../plan/plan';
import { field } from '../../plan/text/json';

const FILE = `---\nproject: site\n---\n# Objective\nAbout \${args.topic}, $\${x}.\n# Deliverables\nx\n# Constraints\nx\n`;

function compile(text: string) {
  return compilePipeline('p.yaml', text, { read: (path) => (path === 'b.md' ? FILE : undefined), list: () => [] }, {});
}

const pipeline = (brief: string): string => `name: p
args: {topic: {type: string, default: cats}}
steps:
  - {id: draft, run: echo hi}
  - {id: work, brief: ${brief}}
`;

function stepIn(plan: Plan | undefined) {
  const [step] = plan?.block.steps.filter((one) => one.kind === 'brief') ?? [];
  if (step?.kind !== 'brief') throw new Error('no brief');
  const [brief = '', confirmation = ''] = [...templatesIn(step.matter)].map(writeTemplate);
  return { step, brief, confirmation };
}

it('the texts of a brief in a pipeline take templates, each of them', () => {
  const sections = ['objective', 'deliverables', 'constraints', 'tools_required', 'notes', 'context', 'acceptance'];
  const keys = sections.map((key) => `${key}: " ${key} of \${args.topic} "`).join(', ');
  const { plan, diagnostics } = compile(pipeline(`{project: site, ${keys}, sections: {Own: "\${draft}"}}`));
  const { step, brief, confirmation } = stepIn(plan);
  expect(diagnostics).toEqual([]);
  for (const key of sections) expect(brief).toContain(`\n\n${key} of \${args.topic}\n\n`);
  expect(brief).toContain(`## Own\n\n\${draft}\n\n## Authorised`);
  expect(confirmation).toContain(`## Constraints\n\nconstraints of \${args.topic}\n\n`);
  // The step gets what its texts name.
  expect(step).toMatchObject({ inputs: ['draft'] });
});

it('entries of a list are templates, too, and `$${` is a literal `${`', () => {
  const { plan } = compile(pipeline(`{project: site, objective: x, deliverables: ["\${args.topic}.html", "$\${HOME}"], constraints: x}`));
  expect(stepIn(plan).brief).toContain(`## Deliverables\n\n- \${args.topic}.html\n- \${HOME}\n\n`);
});

it('mistakes in them are at their places', () => {
  const { diagnostics } = compile(
    pipeline(`{project: site, objective: "\${args.topik}", deliverables: ["\${"], constraints: "\${nobody.x}"}`),
  );
  expect(diagnostics.map(({ code, column }) => `${code}@${column}`)).toEqual([
    'expression.unknown-name@58',
    'expression.syntax@83',
    'expression.unknown-name@105',
  ]);
});

it('a file has its text as it is written', () => {
  const { plan, diagnostics } = compile(pipeline('b.md'));
  expect(diagnostics).toEqual([]);
  expect(stepIn(plan).brief).toContain(`## Objective\n\nAbout \${args.topic}, $\${x}.\n\n`);
  expect(stepIn(plan).step).not.toHaveProperty('inputs');
});

it('the planner reads which roles there are, also if only workers know what a role is for', () => {
  const installation = { ...NO_INSTALLATION, roles: ['auditor'] };
  const text = pipeline('{project: site, roles: [planner, executor, auditor], objective: x, deliverables: x, constraints: x}');
  const { plan } = compilePipeline('p.yaml', text, { read: () => undefined, list: () => [] }, { installation });
  const [, , roles] = [...templatesIn(stepIn(plan).step.matter)].map(writeTemplate);
  expect(roles).toMatch(/- `executor`: Does one sub-task .*\n- `auditor`$/);
});

it.each(['brief: b.md', 'brief: {project: site, objective: x, deliverables: x, constraints: x}'])(
  '`roles` next to `brief` make no coordinate step: %s',
  (brief) => {
    const { plan, diagnostics } = compile(`name: p\nsteps:\n  - {id: work, roles: [planner, executor, reviewer], ${brief}}\n`);
    expect(diagnostics).toEqual([]);
    expect(plan?.block.steps.map(({ kind }) => kind)).toEqual(['brief']);
    expect(stepIn(plan).step.roles.map(({ id }) => id)).toEqual(['planner', 'executor', 'reviewer']);
  },
);

it.each([
  ['{planner: , executor: {adapter: house, model: own}}', { planner: 'file', executor: 'own' }],
  ['[planner, executor]', { planner: 'file', executor: 'file' }],
  ['planner, executor', { planner: 'file', executor: 'file' }],
])('what a step says of its roles wins over the adapters of the brief, whose other roles do not matter: %s', (roles, models) => {
  const adapters = ['planner', 'executor', 'reviewer'].map((role) => `${role}: {adapter: anthropic, model: file}`).join(', ');
  const head = `---\nproject: site\nroles: [planner, executor, reviewer]\nrole_adapters: {${adapters}}\n---\n`;
  const file = FILE.replace('---\nproject: site\n---\n', head);
  const sources = { read: (path: string) => (path === 'b.md' ? file : undefined), list: () => [] };
  const installation = { ...NO_INSTALLATION, adapters: ['anthropic', 'house'] };
  const text = `name: p\nsteps:\n  - {id: work, brief: b.md, roles: ${/^[[{]/.test(roles) ? roles : `"${roles}"`}}\n`;
  const compiled = compilePipeline('p.yaml', text, sources, { installation });
  expect(compiled.diagnostics).toEqual([]);
  if (!compiled.plan) throw new Error('no plan');
  const { plan, blobs } = compiled;
  const modelOf = (role: string): unknown => {
    const digest = plan.agents?.[`work_${role}`]?.definition ?? '';
    return field(JSON.parse(String(blobs.get(digest)?.content ?? '{}')), 'model');
  };
  expect(Object.fromEntries(stepIn(plan).step.roles.map(({ id }) => [id, modelOf(id)]))).toEqual(models);
});
