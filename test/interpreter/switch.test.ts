import type { Expr } from '../../plan/expressions/expression';
import { fails, failsFirst } from '../support/behaviours';
import { approval, command, group, oneOf, wait } from '../support/steps';
import { planOf, runPlan } from '../support/world';

const is = (value: boolean): Expr => ({ kind: 'literal', value });
const states = (world: ReturnType<typeof runPlan>, ...ids: string[]) => ids.map((id) => world.step(id).state);

describe('a switch', () => {
  it('runs the case that holds, skips the others and outputs what that case did', async () => {
    const cases = [command('a', { when: is(false) }), command('b', { when: is(true) }), command('c', { when: is(false) })];
    const world = runPlan(planOf([oneOf('route', cases), command('after')]));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['route[1]/b#1~1', 'after#1~1']);
    expect(states(world, 'a', 'b', 'c', 'route')).toEqual(['skipped', 'done', 'skipped', 'done']);
    expect(world.composed['route#1~1/compose']).toEqual({ kind: 'artifact', artifact: world.step('b').artifact });
  });

  it('is done and has no output if no case holds', async () => {
    const world = runPlan(planOf([oneOf('route', [command('a', { when: is(false) })]), command('after')]));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(states(world, 'a', 'route', 'after')).toEqual(['skipped', 'done', 'done']);
    expect(world.step('route').artifact).toBeUndefined();
  });

  it('fails with its case, and its own retry runs the case again', async () => {
    const failing = runPlan(planOf([oneOf('route', [command('a', { when: is(true) })])]), { steps: { a: fails } });
    await expect(failing.result).rejects.toMatchObject({ code: 'command.failed' });
    const plan = planOf([oneOf('route', [command('a', { when: is(true) })], { retry: { max: 2, delayMs: 1 } })]);
    const world = runPlan(plan, { steps: { a: failsFirst() } });
    await world.completes();
    expect(world.order()).toEqual(['route[0]/a#1~1', 'route[0]/a#2~1']);
  });

  it('opens the gate of its case alone, which is answered by its id', async () => {
    const cases = [group('left', [approval('ask')]), approval('other', { when: is(false) })];
    const world = runPlan(planOf([oneOf('route', cases)]));
    await world.settle();
    expect(world.status().gates.map(({ step }) => step)).toEqual(['route[0]/left/ask']);
    await world.update('approve', { step: 'ask' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('calls its case off when its time runs out', async () => {
    const world = runPlan(planOf([oneOf('route', [wait('long', { forMs: 3_600_000 })], { timeoutMs: 60_000 })]));
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'step.timeout' });
  });
});
