import { agent, forEach } from '../support/steps';
import { artifact, planOf, type WorldOptions } from '../support/world';
import { carry, ran, rerun, settle } from './carrying';

describe('a rerun', () => {
  it('goes on from what the owner had said before that step, and knows nothing about what comes after', async () => {
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
});
