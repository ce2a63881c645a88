import type { Expr } from '../../plan/expressions/expression';
import { ThermidorFailure } from '../../plan/run/failure';
import { agent, command, group } from '../support/steps';
import { planOf, runPlan, type WorldOptions } from '../support/world';

/** What a worker counts of a run: `kind end` of each step that has ended. */
function counting(plan: Parameters<typeof runPlan>[0], options: WorldOptions = {}) {
  const ends: string[] = [];
  const world = runPlan(plan, { ...options, stepEnded: (kind, end) => ends.push(`${kind} ${end}`) });
  return { world, ends };
}
const fails = () => {
  throw new ThermidorFailure('command.failed', 'exit 1');
};

describe('the ends of steps', () => {
  it('are counted by kind, containers among them, each once', async () => {
    const { world, ends } = counting(planOf([group('g', [command('a'), agent('b')]), command('c')]));
    await world.result;
    expect(ends).toEqual(['command done', 'agent done', 'group done', 'command done']);
  });

  it('say what failed and what was skipped', async () => {
    const never: Expr = { kind: 'literal', value: false };
    const { world, ends } = counting(planOf([command('not', { when: never }), command('bad')]), { steps: { bad: fails } });
    await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
    expect(ends).toEqual(['command skipped', 'command failed']);
  });

  it('count across executions as in one', async () => {
    const steps = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => agent(id));
    const { world, ends } = counting(planOf(steps), { activitiesPerExecution: 6 });
    await world.result;
    expect(world.executions).toBeGreaterThan(1);
    expect(ends).toEqual(steps.map(() => 'agent done'));
  });
});
