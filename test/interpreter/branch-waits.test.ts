import type { Expr } from '../../plan/expressions/expression';
import type { Step } from '../../plan/steps/step';
import { fails, saying, takes } from '../support/behaviours';
import { approval, command, forEach, group, oneOf, parallel, review } from '../support/steps';
import { planOf, runPlan, type World } from '../support/world';
import { carry, ran, rerun } from './carrying';

const never: Expr = { kind: 'literal', value: false };
const asks = (name: 'failed' | 'skipped', step: string): Expr => ({
  kind: 'call',
  function: name,
  arguments: [{ kind: 'output', step, path: [] }],
});
const ids = (world: World) => world.order().map((address) => address.replace(/^.*\//, '').replace(/[#[].*$/, ''));
const reasonOf = (world: World, id: string) =>
  world.journal().flatMap((entry) => (entry.kind === 'step' && entry.step.endsWith(id) && entry.state === 'skipped' ? [entry.reason] : []));
const twoBranches = (left: Step[], right: Step[], more = {}) =>
  planOf([parallel('both', [group('left', left), group('right', right)], more)]);

describe('a step that waits for one of another branch', () => {
  const plan = twoBranches([command('a1'), command('a2')], [command('b1'), command('b2', { awaits: ['a1'] }), command('b3')]);

  test('begins when that and the one before it are settled, whichever comes last', async () => {
    const late = runPlan(plan, { steps: { a1: takes(5), a2: takes(1), b1: takes(1), b2: takes(1) } });
    await late.elapse();
    expect(ids(late)).toEqual(['a1', 'b1', 'a2', 'b2', 'b3']);
    const early = runPlan(plan, { steps: { a1: takes(1), a2: takes(1), b1: takes(5), b2: takes(1) } });
    await early.elapse();
    expect(ids(early)).toEqual(['a1', 'b1', 'a2', 'b2', 'b3']);
    for (const world of [late, early]) await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  test('holds no place among the steps in flight meanwhile', async () => {
    const world = runPlan(planOf(plan.block.steps, { concurrent: 1 }));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['a1', 'a2', 'b1', 'b2', 'b3']);
  });

  test('waits for a whole branch, and within a loop in its own', async () => {
    const loop = forEach('loop', [command('each', { awaits: ['a'] })]);
    const world = runPlan(planOf([parallel('both', [group('a', [command('a1'), command('a2')]), loop])]), {
      lists: { loop: [1, 2] },
      steps: { a1: takes(1), a2: takes(1) },
    });
    await world.completes();
    expect(ids(world)).toEqual(['a1', 'a2', 'each', 'each']);
  });

  test('waits in the next execution, too', async () => {
    const busy = Array.from({ length: 8 }, (_, i) => command(`s${i}`));
    const long = twoBranches([approval('ask')], [command('b2', { awaits: ['ask'] })]);
    const [both] = long.block.steps;
    const world = runPlan(planOf([parallel('all', [both as Step, group('busy', busy)])]), { activitiesPerExecution: 3 });
    await world.elapse();
    expect(world.executions).toBeGreaterThan(1);
    expect(ids(world)).not.toContain('b2');
    world.signal('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world).filter((id) => id === 'b2')).toHaveLength(1);
  });

  test('waits for the next round of what is sent back before it has begun itself', async () => {
    const left = [command('a1'), review('judge', 'a1'), command('a2')];
    const world = runPlan(twoBranches(left, [command('b1'), command('b2', { awaits: ['a1'] })]), {
      steps: { judge: saying('revise', 'pass'), b1: takes(5), a1: takes(3) },
    });
    await world.completes();
    expect(ids(world)).toEqual(['a1', 'b1', 'judge', 'a1', 'judge', 'b2', 'a2']);
  });
});

describe('if what it waits for gives nothing, a step is skipped, and its branch goes on', () => {
  const some = { wait: { quorum: { count: 1 } } };
  const right = [command('b2', { awaits: ['a2'] }), command('b3')];

  test.each<[string, Step[], string, Record<string, typeof fails>]>([
    ['it fails', [command('a2')], 'a2 was failed', { a2: fails }],
    ['it is skipped', [command('a2', { when: never })], 'a2 was skipped', {}],
    ['its branch fails before it', [command('a1'), command('a2')], 'a2 was skipped', { a1: fails }],
    ['its case is not the one that runs', [oneOf('one', [command('a0'), command('a2', { when: never })])], 'a2 was skipped', {}],
  ])('%s', async (_, left, reason, steps) => {
    const world = runPlan(twoBranches(left, right, some), { steps });
    await world.completes();
    expect(reasonOf(world, 'b2')).toEqual([reason]);
    expect(ids(world)).toContain('b3');
  });

  test('its branch does not run at all', async () => {
    const left = { ...group('left', [command('a2')]), when: never };
    const world = runPlan(planOf([parallel('both', [left, group('right', right)])]));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(reasonOf(world, 'b2')).toEqual(['a2 was skipped']);
    expect(ids(world)).toEqual(['b3']);
  });

  test('unless its own condition is about that', async () => {
    const asking = [command('b2', { awaits: ['a2'], when: asks('failed', 'a2') })];
    const world = runPlan(twoBranches([command('a2')], asking, some), { steps: { a2: fails } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['a2', 'b2']);
  });

  test('if its parallel has enough, nobody waits', async () => {
    const branches = [command('quick'), group('left', [command('a2')]), group('right', right)];
    const world = runPlan(planOf([parallel('first', branches, { wait: 'any' })]), { steps: { quick: takes(1), a2: takes(60) } });
    await world.completes();
    expect(ids(world)).toEqual(['quick', 'a2']);
  });
});

test('a rerun from what was waited for runs again who waited, and what is after it', async () => {
  const plan = twoBranches([command('a1'), command('a2')], [command('b1'), command('b2', { awaits: ['a2'] }), command('b3')]);
  const before = await ran(plan);
  const answer = carry(before, 'both[0]/left/a2');
  expect(Object.keys(answer.carry.records).sort()).toEqual(['both[0]/left/a1', 'both[1]/right/b1']);
  const world = rerun(plan, answer.carry);
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(ids(world)).toEqual(['a2', 'b2', 'b3']);
});
