import { planFrom } from '../patterns/compiled';
import { fails } from '../support/behaviours';
import { agent, approval, command, forEach, group, parallel, pipeline, review, reviewed } from '../support/steps';
import { controlRef, planOf, runPlan } from '../support/world';
import { CHILD, ran } from './carrying';

describe('a rerun that cannot be', () => {
  it.each([
    ['a step that is not there', 'nowhere', 'there is no step'],
    ['what is no address', 'a//b', 'not the address'],
    ['a step of a loop without its iteration', 'inner', 'each[0]/inner'],
    ['a step of finally', 'last', 'finally'],
    ['a branch of another number', 'par[1]/left', 'there is no step'],
    ['a child pipeline that has not begun', 'deploy/build', 'has not started'],
  ])('is refused with a reason: %s', async (_, from, words) => {
    const steps = [parallel('par', [command('left'), command('right')]), forEach('each', [command('inner')]), pipeline('deploy', CHILD)];
    const plan = planOf(steps, { finally: { order: 'sequence', steps: [command('last')] } });
    const world = await ran(plan, { steps: { left: fails }, children: { [CHILD]: planOf([command('build')], { name: CHILD }) } });
    expect(world.query('carry', { from })).toEqual({ problem: expect.stringContaining(words) });
  });

  const round = (max: number) => `steps: [{id: x, repeat: {until: round >= 2, max: ${max}, steps: [{id: a, run: 'true'}]}}]`;
  it.each<[what: string, text: string, from: string, problem: string]>([
    ['an item', `steps: [{id: x, for_each: '["a", "b"]', steps: [{id: a, run: 'true'}]}]`, 'x[9]/a', 'x has no iteration 9: it has 0 to 1'],
    ['a round', round(3), 'x[3]/a', 'x has no round 3: it has 1 to 2'],
    ['a round before the first', round(2), 'x[0]/a', 'x has no round 0: it has 1 to 2'],
  ])('names what there is if there is no such turn: %s', async (_, text, from, problem) => {
    const world = await ran(planFrom(text), { lists: { x: ['a', 'b'] } });
    expect(world.query('carry', { from })).toEqual({ problem });
  });

  it.each<[what: string, from: string, problem: string]>([
    ['a round of a step that had one', 'draft#9', 'draft has no round 9: it has 1 to 2'],
    ['a round of a review', 'check#3', 'check has no round 3: it has 1 to 2'],
    ['a round of a step that has not begun', 'later#2', 'later has no round 2: it has only 1'],
    ['a try', 'draft~9', 'draft has no try 9: it has only 1'],
    ['a try of an earlier round', 'draft#1~2', 'draft has no try 2: it has only 1'],
    ['a branch', 'par[9]/left', 'there is no step "par[9]/left": left is par[0]/left'],
    ['a turn of what has none', 'all[1]/inner', 'there is no step "all[1]/inner": inner is all/inner'],
  ])('names what there is if there is no such number: %s', async (_, from, problem) => {
    const steps = [
      agent('draft'),
      review('check', 'draft'),
      parallel('par', [command('left'), command('right')]),
      group('all', [command('inner')]),
      approval('ask'),
      command('later'),
    ];
    let times = 0;
    const world = await ran(planOf(steps), { steps: { check: () => reviewed(times++ === 0 ? 'revise' : 'pass') } });
    expect(world.query('carry', { from })).toEqual({ problem });
    for (const there of ['draft#1', 'draft#2~1', 'check#2', 'par[0]/left', 'all/inner', 'later'])
      expect(world.query('carry', { from: there })).not.toHaveProperty('problem');
  });

  it('asks the child for a round of a step in it', async () => {
    const plan = planOf([pipeline('deploy', CHILD)]);
    const world = await ran(plan, { children: { [CHILD]: planOf([command('build')], { name: CHILD }) } });
    expect(world.query('carry', { from: 'deploy#1/build#9' })).toMatchObject({ child: { path: 'deploy', from: 'build#9' } });
  });

  it.each([
    ['no object', 3],
    ['no records', { run: 'r', from: 'a' }],
    ['a record without a state', { run: 'r', from: 'a', records: { a: { round: 1, try: 1 } } }],
    ['a round that is none', { run: 'r', from: 'a', records: { a: { state: 'done', round: 0, try: 1 } } }],
    ['a child that is no reference', { run: 'r', from: 'a', records: {}, children: { a: 'x' } }],
  ])('fails with input.invalid: %s', async (_, stored) => {
    const world = runPlan(planOf([command('a')]), { input: { carried: controlRef('carry', 'carry') }, stored: { carry: stored } });
    await expect(world.result).rejects.toMatchObject({ code: 'input.invalid' });
  });
});
