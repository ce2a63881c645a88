import { compilePipeline } from '../../compiler';
import type { CaidStep } from '../../plan/steps/step';
import { sourcesOf } from '../compiler/golden-case';

interface Team {
  step: CaidStep;
  prompt(part: string): string;
}

function compiled(more = ''): Team {
  const text = `name: p
agents: {boss: {role: Leads.}, dev: {role: Codes.}}
steps:
  - {id: build, type: caid, prompt: Build it., into: main, manager: boss, engineers: dev, test: npm test${more}}`;
  const compilation = compilePipeline('p.yaml', text, sourcesOf(new Map()), {});
  if (!('blobs' in compilation)) throw new Error(JSON.stringify(compilation.diagnostics));
  const step = compilation.plan.block.steps.find((one): one is CaidStep => one.kind === 'caid');
  if (!step) throw new Error('there is no team in the plan');
  return {
    step,
    prompt(part) {
      const found = step.parts.find(({ id }) => id === `build_${part}`);
      return found?.kind === 'agent' ? (compilation.blobs.get(found.prompt ?? '')?.content ?? '') : '';
    },
  };
}

describe('a team of which the file says nothing', () => {
  it('verifies by its engineers without the manager, in 22 rounds, and engineers have 80 turns and the manager its own 50', () => {
    const { step } = compiled();
    expect(step).toMatchObject({ verify: 'self', limits: { rounds: 22 }, engineers: 3 });
    const turns = step.parts.flatMap((part) => (part.kind === 'agent' ? [[part.id, part.turns]] : []));
    expect(turns).toEqual([
      ['build_manager', undefined],
      ['build_engineer', 80],
      ['build_review', undefined],
    ]);
  });

  it.each(['manager', 'self', 'efficient'])('has the strategy %s of the paper by that name', (name) => {
    expect(compiled(`, verify: ${name}`).step.verify).toBe(name);
  });

  it.each([
    ['', 'shared'],
    [', isolation: shared', 'apart'],
  ])('has engineers who verify by default_test, or by the repository’s own test, as a last resort (%s)', (more) => {
    expect(compiled(more).prompt('engineer')).toMatch(/default_test.*the repository's own default test command/s);
  });
});

describe('a manager finds the units', () => {
  const COMMIT0 = ['import statements', 'Collect the tests', 'Map tests to units', 'has to be there first', 'whole files first'];
  const PAPERBENCH = ['the whole paper', 'main contribution', 'in which order it is implemented', 'two engineers'];

  it.each([
    ['commit0', COMMIT0, PAPERBENCH],
    ['paperbench', PAPERBENCH, COMMIT0.slice(0, 3)],
    ['general', [], [...COMMIT0.slice(0, 3), ...PAPERBENCH]],
  ])('of work like %s by its own instructions', (type, said, unsaid) => {
    const prompt = compiled(`, task_type: ${type}`).prompt('manager');
    for (const words of said) expect(prompt).toContain(words);
    for (const words of unsaid) expect(prompt).not.toContain(words);
    expect(prompt).toContain('Files that have to change together belong to one unit.');
    expect(prompt).toMatch(/Build it\..*enables_tests.*complexity.*Answer with the graph/s);
  });
});
