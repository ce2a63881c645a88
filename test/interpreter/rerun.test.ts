import type { Carry } from '../../plan/run/carry';
import { fails, saying } from '../support/behaviours';
import { agent, approval, command, review } from '../support/steps';
import { artifact, planOf, type WorldOptions } from '../support/world';
import { carry, ran, rerun, settle } from './carrying';

describe('a rerun from a step', () => {
  const plan = planOf([command('a'), command('b', { inputs: ['a'] }), command('c', { inputs: ['a', 'b'] })]);

  it('does again that step and what is after it, and reads what was carried by reference', async () => {
    const before = await ran(plan);
    const answer = carry(before, 'b');
    expect(Object.keys(answer.carry.records)).toEqual(['a']);
    expect(answer.again).toEqual(['b', 'c']);
    const world = rerun(plan, answer.carry);
    await expect(world.result).resolves.toMatchObject({ status: 'completed', artifacts: { a: artifact('a-1-1') } });
    expect(world.order()).toEqual(['b#1~1', 'c#1~1']);
    expect(world.seen[0]?.input.inputs).toEqual({ a: artifact('a-1-1') });
  });

  it('says of each step that was carried where it was done, in journal and status', async () => {
    const before = await ran(plan);
    const world = rerun(plan, carry(before, 'c').carry);
    await world.result;
    expect(world.step('a')).toMatchObject({ state: 'done', carried: { run: 'test-run' }, artifact: artifact('a-1-1') });
    expect(world.step('c')).not.toHaveProperty('carried');
    const told = world.journal().filter((entry) => entry.kind === 'step' && entry.reason === 'carried over from test-run');
    expect(told.map((entry) => 'step' in entry && entry.step)).toEqual(['a', 'b']);
  });

  it('may be made of a rerun: what was carried twice is named after the run that did it', async () => {
    const first = await ran(plan);
    const [once] = Object.values(carry(first, 'c').carry.records);
    const carried: Carry = { run: 'older', from: 'b', records: { a: { ...once, carried: { run: 'older' } } as never } };
    const second = rerun(plan, carried);
    await second.result;
    expect(carry(second, 'c').carry.records).toMatchObject({ a: { carried: { run: 'older' } }, b: { carried: { run: 'test-run' } } });
  });

  it('costs nothing for what was carried', async () => {
    const usage = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 5 };
    const paid: WorldOptions = { steps: { a: () => ({ usage }), b: () => ({ usage }) } };
    const world = rerun(plan, carry(await ran(plan, paid), 'b').carry, paid);
    await world.result;
    expect(world.status().usage).toEqual(usage);
  });

  it('may be made of a run that failed, that was rejected, and that goes on', async () => {
    const failed = await ran(plan, { steps: { b: fails } });
    expect(Object.keys(carry(failed, 'b').carry.records)).toEqual(['a']);
    const gated = planOf([command('a'), approval('ask'), command('c')]);
    const waits = await ran(gated);
    expect(Object.keys(carry(waits, 'ask').carry.records)).toEqual(['a']);
    waits.signal('reject', { by: 'chairman' });
    await settle(waits);
    expect(Object.keys(carry(waits, 'c').carry.records)).toEqual(['a', 'ask']);
  });

  it('takes a person’s decision over with the gate that it was made at', async () => {
    const gated = planOf([approval('ask'), command('c')]);
    const before = await ran(gated);
    before.signal('approve', { by: 'chairman' });
    await settle(before);
    const world = rerun(gated, carry(before, 'c').carry);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('ask').decision).toEqual({ choice: 'approve', by: 'chairman' });
  });

  it('goes on without failures that nothing let the run go past', async () => {
    const graph = planOf([command('x', { after: [] }), command('y', { after: [] }), command('z', { after: ['y'] })], {}, 'graph');
    const before = await ran(graph, { steps: { x: fails } });
    const answer = carry(before, 'z');
    expect(Object.keys(answer.carry.records)).not.toContain('x');
    const world = rerun(graph, answer.carry);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toContain('x#1~1');
  });

  it('runs again whatever the client says must, and what is after that', async () => {
    const graph = planOf(
      [
        command('x', { after: [] }),
        command('y', { after: ['x'] }),
        command('other', { after: [] }),
        command('z', { after: ['y', 'other'] }),
      ],
      {},
      'graph',
    );
    const answer = carry(await ran(graph), 'z', ['x']);
    expect(Object.keys(answer.carry.records)).toEqual(['other']);
    expect(answer.again).toEqual(['x', 'y', 'z']);
  });

  it('keeps the round that a step was carried in, so that a revision begins the next', async () => {
    const reviewedPlan = planOf([agent('bull'), review('judge', 'bull'), command('end')]);
    const before = await ran(reviewedPlan, { steps: { judge: saying('revise', 'pass') } });
    const world = rerun(reviewedPlan, carry(before, 'judge').carry, { steps: { judge: saying('revise', 'pass') } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['judge#1~1', 'bull#3~1', 'judge#2~1', 'end#1~1']);
  });
});

test('what a rerun began with survives continue-as-new', async () => {
  const plan = planOf([command('a'), command('b'), command('c'), command('d')]);
  const world = rerun(plan, carry(await ran(plan), 'b').carry, { activitiesPerExecution: 3 });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.executions).toBeGreaterThan(1);
  expect(world.order()).toEqual(['b#1~1', 'c#1~1', 'd#1~1']);
  expect(world.step('a').carried).toEqual({ run: 'test-run' });
});
