import type { Json } from '../../plan/text/json';
import { fails } from '../support/behaviours';
import { command, forEach, group, parallel, pipeline, repeat } from '../support/steps';
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

  it('a step after a container carries it whole', async () => {
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

  it('a repeat that failed goes on in its round, and knows the outputs of the one before', async () => {
    const plan = planOf([repeat('fix', [command('a'), command('b', { lastInputs: ['a'] })], 3), command('end')]);
    const before = await ran(plan, { steps: { b: ({ address }) => (address?.path[0]?.index === 2 ? fails() : {}) } });
    const answer = carry(before, 'fix[2]/b');
    expect(Object.keys(answer.carry.records)).toEqual(['fix', 'fix[2]/a']);
    const world = rerun(plan, answer.carry);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['fix[2]/b#1~1', 'fix[3]/a#1~1', 'fix[3]/b#1~1', 'end#1~1']);
    expect(world.seen[0]?.input.loops).toMatchObject([{ index: 2, last: { a: artifact('a-1-1') } }]);
  });

  it('a round that is over begins the repeat again, and so does one that has used up its rounds', async () => {
    const over = planOf([repeat('fix', [command('a')], 2)]);
    const answer = carry(await ran(over), 'fix[1]/a');
    expect(answer.carry.records).toEqual({});
    expect(answer.notes).toEqual([expect.stringContaining('round 1 of fix')]);
    const exhausted = planOf([parallel('par', [repeat('fix', [command('a')], 9, { max: 2 }), command('other')])]);
    const whole = carry(await ran(exhausted, { steps: { other: fails } }), 'other');
    expect(Object.keys(whole.carry.records)).toEqual([]);
    const world = rerun(exhausted, whole.carry);
    await expect(world.result).rejects.toMatchObject({ code: 'parallel.branch-failed' });
    expect(world.order().toSorted()).toEqual(['par[0]/fix[1]/a#1~1', 'par[0]/fix[2]/a#1~1', 'par[1]/other#1~1']);
  });

  it('a repeat whose person was asked after its last round asks again and repeats nothing', async () => {
    const onExhausted = [{ kind: 'escalate', to: { kind: 'human' } } as const];
    const plan = planOf([
      parallel('par', [repeat('fix', [command('a')], 9, { max: 2, onExhausted }), command('other')], { timeoutMs: 60_000 }),
    ]);
    const before = await ran(plan, { steps: { other: fails } });
    const world = rerun(plan, carry(before, 'other').carry);
    await world.settle();
    expect(world.order()).toEqual(['par[1]/other#1~1']);
    await world.update('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
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

  it('a child pipeline whose step must run again anyway begins it again', async () => {
    const plan = planOf([command('a'), pipeline('deploy', CHILD)]);
    const before = await ran(plan, { children: { [CHILD]: planOf([command('build')], { name: CHILD }) } });
    const answer = carry(before, 'deploy/build', ['a']);
    expect(answer).not.toHaveProperty('child');
    expect(answer.notes).toHaveLength(1);
  });
});
