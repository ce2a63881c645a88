import { renderTree } from '../../cli/rendering/tree';
import { renderWhy } from '../../cli/rendering/why';
import { reasonsOf } from '../../client/wait-reasons';
import { fakeTerminal } from '../cli/fake-terminal';
import { approval, command, verdictIs } from '../support/steps';
import { planOf, runPlan } from '../support/world';

const WHY = 'its condition is false: judge.verdict == "pass", where judge.verdict is "revise"';

test('a step that its condition skips says what was compared: in the status, the journal and why', async () => {
  const plan = planOf([command('judge', { reads: [['verdict']] }), command('ship', { when: verdictIs('judge', 'pass') }), approval('ask')]);
  const world = runPlan(plan, { steps: { judge: async () => ({ values: { verdict: 'revise' } }) } });
  await world.settle();
  expect(world.step('ship')).toMatchObject({ state: 'skipped', skipped: WHY });
  expect(world.journal().find((entry) => entry.kind === 'step' && entry.step === 'ship')).toMatchObject({ reason: WHY });
  const { colors } = fakeTerminal();
  expect(renderTree(world.status(), { colors, columns: 200, now: 0 }).join('\n')).toContain(WHY);
  const reasons = reasonsOf(world.status(), []);
  expect(reasons.map(({ kind, step }) => [kind, step])).toEqual([
    ['gate', 'ask'],
    ['skipped', 'ship'],
  ]);
  expect(
    renderWhy(
      world.status(),
      reasons.map((reason) => ({ ...reason, clear: [] })),
      colors,
      0,
    ),
  ).toContain(WHY);
  world.signal('approve', { by: 'me' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(reasonsOf(world.status(), []).map(({ kind }) => kind)).toEqual(['ended', 'skipped']);
});

test('one that runs after all says it no more', async () => {
  const plan = planOf([command('judge', { reads: [['verdict']] }), command('ship', { when: verdictIs('judge', 'revise') })]);
  const world = runPlan(plan, { steps: { judge: async () => ({ values: { verdict: 'revise' } }) } });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.step('ship')).not.toHaveProperty('skipped');
});
