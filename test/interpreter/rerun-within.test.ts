import type { Json } from '../../plan/json';
import { fails } from '../support/behaviours';
import { command, forEach, group, parallel, pipeline } from '../support/steps';
import { artifact, controlRef, planOf, type World } from '../support/world';
import { CHILD, carry, ran, rerun } from './carrying';

describe('a rerun from within', () => {
  it('a branch carries the other branches, and the steps before it in its own', async () => {
    const plan = planOf([parallel('par', [group('left', [command('a'), command('b')]), command('right')]), command('end')]);
    const before = await ran(plan);
    const answer = carry(before, 'b');
    expect(Object.keys(answer.carry.records).sort()).toEqual(['par[0]/left/a', 'par[1]/right']);
    const world = rerun(plan, answer.carry);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['par[0]/left/b#1~1', 'end#1~1']);
    expect(world.composed['par#1~1/compose']).toMatchObject({ results: { right: artifact('right-1-1') } });
  });

  it('a step behind a container carries it whole', async () => {
    const plan = planOf([parallel('par', [command('left'), command('right')]), command('end', { inputs: ['left'] })]);
    const world = rerun(plan, carry(await ran(plan), 'end').carry);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['end#1~1']);
    expect(world.seen[0]?.input.inputs).toEqual({ left: artifact('left-1-1') });
  });

  it('a loop that failed goes on at its iteration, and keeps what the others have done', async () => {
    const plan = planOf([forEach('each', [command('a'), command('b')])]);
    const before = await ran(plan, {
      lists: { each: [1, 2, 3] },
      steps: { b: ({ address }) => (address?.path[0]?.index === 1 ? fails() : {}) },
    });
    const answer = carry(before, 'each[1]/b');
    expect(Object.keys(answer.carry.records)).toEqual(['each', 'each[1]/a']);
    const world = rerun(plan, answer.carry, { lists: { each: [1, 2, 3] } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['each[1]/b#1~1', 'each[2]/a#1~1', 'each[2]/b#1~1']);
  });

  it('an iteration that is over begins the loop again, and says so', async () => {
    const plan = planOf([forEach('each', [command('a')])]);
    const answer = carry(await ran(plan, { lists: { each: [1, 2] } }), 'each[0]/a');
    expect(answer.carry.records).toEqual({});
    expect(answer.notes).toEqual([expect.stringContaining('each')]);
    const world = rerun(plan, answer.carry, { lists: { each: [1, 2] } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toHaveLength(2);
  });

  it('a child pipeline starts it with what the child carries itself', async () => {
    const child = planOf([command('build'), command('ship')], { name: CHILD });
    const plan = planOf([command('a'), pipeline('deploy', CHILD), command('end')]);
    const before = await ran(plan, { children: { [CHILD]: child } });
    const answer = carry(before, 'deploy/ship');
    expect(answer.child).toEqual({ path: 'deploy', run: 'test-run.deploy', from: 'ship' });
    const inner = before.children.get('test-run.deploy');
    if (!inner) throw new Error('no child');
    const within = carry(inner as World, 'ship');
    const world = rerun(
      plan,
      { ...answer.carry, children: { deploy: controlRef('carry', 'inner') } },
      { children: { [CHILD]: child }, stored: { inner: JSON.parse(JSON.stringify(within.carry)) as Json } },
    );
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['ship#1~1', 'end#1~1']);
  });

  it('a child pipeline whose step must run again anyway begins it anew', async () => {
    const plan = planOf([command('a'), pipeline('deploy', CHILD)]);
    const before = await ran(plan, { children: { [CHILD]: planOf([command('build')], { name: CHILD }) } });
    const answer = carry(before, 'deploy/build', ['a']);
    expect(answer).not.toHaveProperty('child');
    expect(answer.notes).toHaveLength(1);
  });
});
