import type { Carry, CarryAnswer, CarryProblem } from '../../plan/carry';
import { ThermidorFailure } from '../../plan/failure';
import type { Json } from '../../plan/json';
import type { Plan } from '../../plan/plan';
import { agent, approval, command, forEach, group, parallel, pipeline, review, reviewed } from '../support/steps';
import { artifact, planOf, runPlan, type World, type WorldOptions } from '../support/world';

const CHILD = 'release';
const fails = (): never => {
  throw new ThermidorFailure('command.failed', 'disk full');
};

async function settle(world: World): Promise<World> {
  for (let i = 0; i < 6; i++) await world.settle();
  return world;
}

async function ran(plan: Plan, options: WorldOptions = {}): Promise<World> {
  const world = runPlan(plan, options);
  await world.elapse();
  return settle(world);
}

function carry(world: Pick<World, 'query'>, from: string, again: string[] = []): CarryAnswer {
  const answer = world.query('carry', { from, again }) as CarryAnswer | CarryProblem;
  if ('problem' in answer) throw new Error(answer.problem);
  return answer;
}

/** A run that begins with what another carried over. */
function rerun(plan: Plan, carried: Carry, options: WorldOptions = {}): World {
  // As it is when it comes from the store.
  const stored = JSON.parse(JSON.stringify(carried)) as Json;
  return runPlan(plan, { ...options, input: { carried: artifact('carry') }, stored: { carry: stored, ...options.stored } });
}

describe('a rerun from a step', () => {
  const plan = planOf([command('a'), command('b', { inputs: ['a'] }), command('c', { inputs: ['a', 'b'] })]);

  it('does again that step and what is behind it, and reads what was carried by reference', async () => {
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

  it('goes on from what the owner had said before that step, and knows nothing of what comes after', async () => {
    const self = (id: string) => agent(id, { action: 'self' });
    const own = planOf([self('plan'), self('draft'), self('close'), self('end')]);
    const left = (id: string) => artifact(`context-of-${id}`);
    const leaves: WorldOptions['steps'] = Object.fromEntries(
      ['plan', 'draft', 'close', 'end'].map((id) => [id, () => ({ artifact: artifact(id), context: left(id) })]),
    );
    const world = rerun(own, carry(await ran(own, { steps: leaves }), 'close').carry, { steps: leaves });
    await world.result;
    expect(world.seen.map(({ input }) => input.context)).toEqual([[left('plan'), left('draft')], [left('close')]]);
  });

  it('goes on from what the owner has said in iterations that are over, and not from those that run again', async () => {
    const self = (id: string) => agent(id, { action: 'self' });
    const left = (id: string, of = '') => artifact(`context-of-${id}${of}`);
    let calls = 0;
    const talks = () => ({ artifact: artifact('talk'), context: left('talk', String(calls++)) });
    const ends = (id: string) => () => ({ artifact: artifact(id), context: left(id) });
    const steps = { talk: talks, plan: ends('plan'), end: ends('end') };
    const plan = planOf([self('plan'), forEach('each', [self('talk')]), self('end')]);
    const lists = { each: [1, 2, 3] };
    const done = await ran(plan, { steps, lists });
    const { carry: carried } = carry(done, 'end');
    const world = await settle(rerun(plan, carried, { steps, lists }));
    expect(world.seen.map(({ input }) => input.context)).toEqual([[left('plan'), left('talk', '2')]]);
    const all = await settle(rerun(plan, carry(done, 'each').carry, { steps, lists }));
    expect(all.seen.map(({ input }) => input.context?.length)).toEqual([1, 1, 1, 1]);
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

  it('runs again whatever the client says must, and what is behind that', async () => {
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
    let verdicts = 0;
    const before = await ran(reviewedPlan, {
      steps: {
        judge: () => {
          verdicts += 1;
          return reviewed(verdicts === 1 ? 'revise' : 'pass');
        },
      },
    });
    verdicts = 0;
    const world = rerun(reviewedPlan, carry(before, 'judge').carry, {
      steps: {
        judge: () => {
          verdicts += 1;
          return reviewed(verdicts === 1 ? 'revise' : 'pass');
        },
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['judge#1~1', 'bull#3~1', 'judge#2~1', 'end#1~1']);
  });
});

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
      { ...answer.carry, children: { deploy: artifact('inner') } },
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

describe('a rerun that cannot be', () => {
  it.each([
    ['a step that is not there', 'nowhere', 'there is no step'],
    ['what is no address', 'a//b', 'no address'],
    ['a step of a loop without its iteration', 'inner', 'each[0]/inner'],
    ['a step of finally', 'last', 'finally'],
    ['a branch of another number', 'par[1]/left', 'there is no step'],
    ['a child pipeline that has not begun', 'deploy/build', 'has not started'],
  ])('is told why: %s', async (_, from, words) => {
    const steps = [parallel('par', [command('left'), command('right')]), forEach('each', [command('inner')]), pipeline('deploy', CHILD)];
    const plan = planOf(steps, { finally: { order: 'sequence', steps: [command('last')] } });
    const world = await ran(plan, { steps: { left: fails }, children: { [CHILD]: planOf([command('build')], { name: CHILD }) } });
    expect(world.query('carry', { from })).toEqual({ problem: expect.stringContaining(words) });
  });

  it.each([
    ['no object', 3],
    ['no records', { run: 'r', from: 'a' }],
    ['a record without a state', { run: 'r', from: 'a', records: { a: { round: 1, try: 1 } } }],
    ['a round that is none', { run: 'r', from: 'a', records: { a: { state: 'done', round: 0, try: 1 } } }],
    ['a child that is no reference', { run: 'r', from: 'a', records: {}, children: { a: 'x' } }],
  ])('fails with input.invalid: %s', async (_, stored) => {
    const world = runPlan(planOf([command('a')]), { input: { carried: artifact('carry') }, stored: { carry: stored } });
    await expect(world.result).rejects.toMatchObject({ code: 'input.invalid' });
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
