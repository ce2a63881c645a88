import { dryRun } from '../../cli/dry-run/dry-run';
import { renderPlan } from '../../cli/rendering/plan';
import { nested } from '../../cli/rendering/step-tree';
import { board } from '../interpreter/board-play';
import { agent, approval, command, withParts } from '../support/steps';
import { byId, planOf, request } from './dry-run-request';
import { fakeTerminal } from './fake-terminal';
import { stepView } from './views';

const { colors } = fakeTerminal();
const PLAN = {
  ...planOf('sequence', [withParts('decide', [agent('security'), approval('person')]), command('after')]),
  agents: { worker: { id: 'worker', role: 'a worker' } },
} as never;

test('parts are under their step in a plan and in a dry run', () => {
  expect(renderPlan(PLAN, 'a'.repeat(64), colors)).toMatch(/\n {2}decide .*\n(?: {4}.*\n)* {4}security .*\n(?: {4}.*\n)* {4}person /);
  const steps = byId(dryRun(request({ plan: PLAN, args: {} })));
  expect(steps.get('decide')?.steps?.map(({ id }) => id)).toEqual(['security', 'person']);
  expect(steps.get('security')?.does.kind).toBe('agent');
});

test('a tree has each turn of a part on a line of its own', () => {
  const steps = [
    stepView('decide', { kind: 'command' }),
    stepView('security', { address: 'decide[1]/security' }),
    stepView('security', { address: 'decide[2]/security' }),
    stepView('par', { kind: 'parallel' }),
    stepView('left', { address: 'par[0]/left' }),
  ];
  const tree = nested(steps);
  expect(tree.map(({ name, within }) => [name, within.map((one) => one.name)])).toEqual([
    ['decide', ['[1] security', '[2] security']],
    ['par', ['left']],
  ]);
});

test('a member of a board has replies in a turn, and no repairs', () => {
  const step = board({ members: [{ name: 'alice', agent: 'coder' }], maxTurns: 20, taskBudget: { tokens: 80_000, wallClockMs: 60_000 } });
  const part = step.parts.find(({ id }) => id === 'team_coder');
  const parts = step.parts.map((one) => (one === part ? { ...one, turns: 20 } : one));
  const plan = { ...planOf('sequence', [{ ...step, parts } as never]), agents: { coder: { id: 'coder', role: 'codes' } } } as never;
  const lines = renderPlan(plan, 'a'.repeat(64), colors);
  expect(lines).toContain('at most 20 replies in each turn of a member, and 4 tries of a turn that fails');
  expect(lines).toContain('budget of a task: 80.0k tokens, 1 min 00 s');
  expect(lines).not.toContain('requests a round');
});
