import { ThermidorFailure } from '../../plan/run/failure';
import { fails } from '../support/behaviours';
import { agent, approval, command, forEach, group, held, parallel, withParts } from '../support/steps';
import { artifact, planOf, runPlan, type World, type WorldOptions } from '../support/world';
import { freshly, type Program, programs } from './program';
import { need, needing, tokens } from './spending';

/** A part of a step, at the address that the run gives it, behaves like a step of the file. */

const inTurn =
  (...ids: string[]): Program =>
  async (ctx, { part }) => {
    for (const id of ids) await ctx.step(part(id), { turn: 1 });
  };

const begun = async (world: World): Promise<World> => {
  for (let i = 0; i < 6; i++) await world.settle();
  return world;
};

const own = (parts: Parameters<typeof withParts>[1], options: WorldOptions, more: Parameters<typeof withParts>[2] = {}) =>
  runPlan(planOf([withParts('decide', parts, more), command('after')]), options);

describe('a part', () => {
  it('that is held is taken up by its address', async () => {
    let failed = false;
    const build = () => {
      if (failed) return {};
      failed = true;
      return fails();
    };
    const options = { work: programs({ decide: inTurn('build') }), steps: { build } };
    const world = await begun(own([command('build', held)], options));
    expect(world.status().held).toMatchObject([{ step: 'decide[1]/build' }]);
    await world.update('retry', { step: 'decide[1]/build' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['decide[1]/build#1~1', 'decide[1]/build#1~2', 'after#1~1']);
  });

  it('that is held is left out by its address, and its step goes on', async () => {
    const options = { work: programs({ decide: inTurn('build', 'test') }), steps: { build: fails } };
    const world = await begun(own([command('build', held), command('test')], options));
    await world.update('skip', { step: 'decide[1]/build', by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['decide[1]/build#1~1', 'decide[1]/test#1~1', 'after#1~1']);
  });

  it('has a budget of its own within that of its step', async () => {
    const parts = [agent('a', { budget: { tokens: 20 } }), agent('b')];
    const options = { work: programs({ decide: inTurn('a', 'b') }), steps: { a: needing(30), b: needing(30) } };
    const world = await begun(own(parts, options, { budget: { tokens: 50 } }));
    expect(world.status().gates).toMatchObject([{ step: 'decide[1]/a', kind: 'budget' }]);
    await world.update('extend_budget', { step: 'decide[1]/a', tokens: 30 });
    await begun(world);
    expect(world.status().gates).toMatchObject([{ step: 'decide[1]/b', kind: 'budget' }]);
    await world.update('extend_budget', { step: 'decide[1]/b', tokens: 60 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('decide').budget?.tokens).toMatchObject({ ceiling: 60, spent: 60 });
    expect(world.step('a').budget?.tokens).toMatchObject({ ceiling: 30, spent: 30 });
  });

  it('has in a turn no more than what is left of a budget that spans turns, if that is less than its own', async () => {
    const parts = [agent('a', { budget: { tokens: 40 } }), agent('b')];
    const used: unknown[] = [];
    const decide: Program = async (ctx, { part }) => {
      for (const id of ['a', 'b']) {
        const end = await ctx.step(part(id), { turn: 1, ceilings: { tokens: 20 } });
        used.push(end.used);
      }
    };
    const world = await begun(own(parts, { work: programs({ decide }), steps: { a: needing(30), b: needing(30) } }));
    for (const step of ['a', 'b']) {
      expect(world.status().gates).toMatchObject([{ step: `decide[1]/${step}`, kind: 'budget' }]);
      await world.update('extend_budget', { step: `decide[1]/${step}`, tokens: 30 });
      await begun(world);
    }
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('b').budget?.tokens).toMatchObject({ ceiling: 30, spent: 30 });
    expect(used).toEqual([tokens(30), tokens(30)]);
  });

  it('gets the messages for its agent', async () => {
    const options = { work: programs({ decide: inTurn('slow', 'a') }), steps: { slow: () => new Promise<never>(() => undefined) } };
    const world = own([command('slow', { onError: [{ kind: 'continue' }] }), agent('a')], options);
    await world.settle();
    world.signal('message', { to: 'worker', content: 'hurry' });
    await world.settle();
    world.signal('abort', { by: 'ann' });
    await expect(world.result).rejects.toMatchObject({ code: 'run.aborted' });
    const told = own([agent('first'), agent('a')], { work: programs({ decide: inTurn('first', 'a') }) });
    told.signal('message', { to: 'worker', content: 'hurry' });
    await told.result;
    expect(told.seen[0]?.input.messages).toMatchObject([{ content: 'hurry' }]);
  });

  it('that a person rejects ends the run, as a step of the file does', async () => {
    const world = await begun(own([approval('person')], { work: programs({ decide: inTurn('person') }) }));
    world.signal('reject', { step: 'decide[1]/person', by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
  });

  it('may be a container, with steps within it at addresses of their own', async () => {
    const parts = [group('both', [command('x'), parallel('par', [command('y'), command('z')])]), forEach('each', [command('item')])];
    const options = { work: programs({ decide: inTurn('both', 'each') }), lists: { each: [1, 2] } };
    const world = own(parts, options);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual([
      'decide[1]/both/x#1~1',
      'decide[1]/both/par[0]/y#1~1',
      'decide[1]/both/par[1]/z#1~1',
      'decide[1]/each[0]/item#1~1',
      'decide[1]/each[1]/item#1~1',
      'after#1~1',
    ]);
  });

  it('of an iteration runs in each, and iterations do not meet', async () => {
    const plan = planOf([forEach('each', [withParts('decide', [agent('a')])], { maxConcurrent: 2 })]);
    const world = runPlan(plan, { lists: { each: [1, 2] }, work: programs({ decide: inTurn('a') }) });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['each[0]/decide[1]/a#1~1', 'each[1]/decide[1]/a#1~1']);
  });

  it('keeps what it was given in a round that follows a revision of its own', async () => {
    const revising: Program = async (ctx, { part }) => {
      await ctx.step(part('person'), { turn: 1, given: { proposal: artifact('first') } });
    };
    const parts = [approval('person', { show: [], onReject: [{ kind: 'retry', step: 'person', max: 1 }] })];
    const world = await begun(own(parts, { work: programs({ decide: revising }) }));
    world.signal('reject', { step: 'decide[1]/person', by: 'ann' });
    await begun(world);
    world.signal('approve', { step: 'decide[1]/person', by: 'ann' });
    await world.result;
    expect(world.gateInputs.map(({ inputs }) => inputs)).toEqual([{ proposal: artifact('first') }, { proposal: artifact('first') }]);
  });

  it('of a try that failed stays done, and the others begin their next round', async () => {
    let failed = false;
    const once = () => {
      if (failed) return {};
      failed = true;
      return fails();
    };
    const options = { work: programs({ decide: inTurn('a', 'b') }), steps: { b: once } };
    const world = own([command('a'), command('b')], options, { retry: { max: 2, delayMs: 1 } });
    await world.elapse();
    await world.result;
    expect(world.order()).toEqual(['decide[1]/a#1~1', 'decide[1]/b#1~1', 'decide[1]/b#2~1', 'after#1~1']);
  });
});

describe('turns that are over', () => {
  const turns =
    (count: number, more: (ctx: Parameters<Program>[0], turn: number) => Promise<unknown> = async () => undefined): Program =>
    async (ctx, { part }) => {
      await ctx.loop('turns', 0, async (inner, state, turn) => {
        await inner.step(part('vote'), { turn });
        await more(inner, turn);
        return turn === count ? { done: state } : { next: state + 1 };
      });
    };

  it('leave what they have used to their step', async () => {
    const options = { work: programs({ decide: turns(3) }), steps: { vote: () => ({ artifact: artifact('v'), usage: tokens(10) }) } };
    const world = own([agent('vote')], options);
    await world.result;
    expect(world.status().steps.map(({ address, usage }) => [address, usage?.inputTokens])).toEqual([
      ['decide', 20],
      ['decide[3]/vote', 10],
      ['after', undefined],
    ]);
  });

  it('leave no address that another round of their step uses again', async () => {
    let rejected = false;
    const asked: Program = async (ctx, here) => {
      await turns(2)(ctx, here);
      if (rejected) return;
      rejected = true;
      throw new ThermidorFailure('command.failed', 'again');
    };
    // The vote had a second round within the first round of the step, which the next round of the step must not reuse.
    const parts = [approval('vote', { onReject: [{ kind: 'retry', step: 'vote', max: 1 }] })];
    const plan = planOf([withParts('decide', parts, { onError: [{ kind: 'retry', step: 'decide', max: 1 }] }), command('after')]);
    const world = await begun(runPlan(plan, { work: programs({ decide: asked }) }));
    for (const [name, turn] of [
      ['reject', 1],
      ['approve', 1],
      ['approve', 2],
      ['approve', 1],
      ['approve', 2],
    ] as const) {
      world.signal(name, { step: `decide[${turn}]/vote`, by: 'ann' });
      await begun(world);
    }
    await world.result;
    const gates = world.calls.flatMap(({ name, options: { address } }) => (name === 'gate' ? [address] : []));
    expect(new Set(gates).size).toBe(5);
  });

  it('take no more state than one, whatever ran in them', async () => {
    const fresh = freshly();
    const side = async (ctx: Parameters<Program>[0], turn: number, part: Parameters<Program>[1]['part']) => {
      await ctx.all('both', {
        code: (inner) => inner.step(part('inner'), { turn }),
        part: { part: part('other'), turn },
      });
      await ctx.loop('again', 0, async (inner) => {
        await inner.step(part('nested'), { turn });
        return { done: 0 };
      });
      await ctx.sleep('rest', 1000);
    };
    const program: Program = (ctx, here) => turns(60, (inner, turn) => side(inner, turn, here.part))(ctx, here);
    const parts = [agent('vote'), agent('inner'), group('other', [command('deep')]), agent('nested')];
    const world = own(parts, { work: programs({ decide: program }), historyIsFull: fresh.historyIsFull });
    await fresh.toTheEnd(world);
    await world.result;
    expect(world.executions).toBeGreaterThan(60);
    // The records do not grow. The journal does, and it goes to the store page by page.
    const sizes = world.states.map(({ records }) => JSON.stringify(records).length);
    expect(Math.max(...sizes.slice(-20))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 20)) + 100);
    const paths = Object.keys(world.states.at(-2)?.records ?? {});
    expect(paths.filter((path) => path.startsWith('decide['))).toHaveLength(5);
  });
});

describe('an agent as a part that lacks budget', () => {
  it('goes on in a fresh execution with the question that it has put', async () => {
    const fresh = freshly();
    const options = {
      work: programs({ decide: inTurn('a') }),
      historyIsFull: fresh.historyIsFull,
      steps: { a: ({ input }: { input: Parameters<typeof need>[1] }) => need(30, input) },
    };
    const world = await begun(own([agent('a', { budget: { tokens: 20 } })], options));
    await fresh.again(world);
    expect(world.status().gates).toMatchObject([{ step: 'decide[1]/a', kind: 'budget' }]);
    await world.update('extend_budget', { step: 'decide[1]/a', tokens: 30 });
    await fresh.toTheEnd(world);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('a').budget?.tokens).toMatchObject({ ceiling: 30, spent: 30 });
  });
});
