import type { BriefStart } from '../../compiler/brief/flags';
import { compilePipeline } from '../../compiler/compile';
import { NO_INSTALLATION } from '../../compiler/installation';
import { hasRoleTeam } from '../../kinds/questions';
import type { BriefStep, Step } from '../../plan/steps/step';

const INSTALLATION = { ...NO_INSTALLATION, adapters: ['anthropic', 'openai', 'claude'] };
const BODY = '# Objective\nA.\n# Deliverables\n- b\n# Constraints\nNone.\n';

function compile(head: string, start: Partial<BriefStart>) {
  const text = `---\nproject: site\n${head}\n---\n${BODY}`;
  const brief = { id: '2031-05-17-made', ...start };
  const { plan, diagnostics } = compilePipeline(
    'site.md',
    text,
    { read: () => undefined, list: () => [] },
    { installation: INSTALLATION, brief },
  );
  const steps: readonly Step[] = plan?.block.steps ?? [];
  return {
    plan,
    step: steps.find((one): one is BriefStep => hasRoleTeam(one)),
    messages: diagnostics.map(({ message, hint }) => `${message}: ${hint}`),
    mistakes: diagnostics.map(({ file, code }) => `${file} ${code}`),
  };
}

const TEAM = 'roles: {planner: {adapter: openai}, executor: }';

test('flags win over the file, and are in the plan', () => {
  const flags = { adapter: 'anthropic', model: 'm', mode: 'auto', roles: 'planner,executor,critic', maxTokens: '80000', maxMinutes: '7' };
  const { plan, step } = compile(TEAM, { flags, noOperator: true });
  expect(step).toMatchObject({
    ...{ briefId: '2031-05-17-made', mode: 'auto', noOperator: true, budget: { tokens: 80_000, wallClockMs: 420_000 } },
    roles: [{ id: 'planner' }, { id: 'executor' }, { id: 'critic' }],
  });
  expect(Object.keys(plan?.agents ?? {})).toEqual(['brief_planner', 'brief_executor', 'brief_critic']);
});

test('without the shell everything else that "*" covers stays authorised', () => {
  expect(compile('authorized_costs: "*"', { flags: { noShell: true } }).step?.authorized).not.toContain('shell_exec');
  expect(compile('authorized_costs: "*"', { flags: { noShell: true } }).step?.authorized).toContain('git_push');
  expect(compile('authorized_costs: "*"', { flags: { noShell: true } }).step?.noShell).toBe(true);
});

test.each([
  'roles: {planner: , executor: {adapter: claude}}',
  'roles: {planner: , executor: {adapter: cli-bridge, binary: claude}}',
  'roles: []\ncli: {binary: claude}',
])('without the shell nothing starts a program that the brief names: %s', (roles) => {
  const head = `authorized_costs: [shell_exec]\n${roles}`;
  const { mistakes, messages } = compile(head, { flags: { noShell: true } });
  expect(mistakes).toEqual(['site.md brief.needs-shell']);
  expect(messages).toEqual([expect.stringContaining('leave out `--no-shell`')]);
  expect(compile(head, {}).mistakes).toEqual([]);
});

test('a plan alone has the planner as its only part, and another name', () => {
  const { plan, step } = compile(TEAM, { until: 'plan' });
  expect([plan?.name, step?.parts.map(({ id }) => id)]).toEqual(['site-plan', ['brief_planner']]);
  expect(compile('roles: []', { until: 'plan' }).mistakes).toEqual(['site.md brief.missing-role']);
});

test.each<[flags: NonNullable<BriefStart['flags']>, mistake: string]>([
  [{ maxTokens: '-1' }, '--max-tokens shape.out-of-range'],
  [{ maxMinutes: '0' }, '--max-minutes shape.out-of-range'],
  [{ maxTokens: 'many' }, '--max-tokens shape.wrong-type'],
  [{ mode: 'autom' }, '--mode shape.unknown-value'],
  [{ roles: 'planner,executor,critik' }, '--roles brief.unknown-role'],
  [{ adapter: 'nope' }, '--adapter adapter.unknown'],
])('a mistake is located at its flag: %j', (flags, mistake) => {
  expect(compile('roles: [planner, executor]', { flags }).mistakes).toContain(mistake);
});
