import { ThermidorFailure } from '../../plan/run/failure';
import { agent, parallel } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type StepBehaviour } from '../support/world';

const self = (id: string) => agent(id, { action: 'self' });
const left = (step: string) => artifact(`context-of-${step}`);
const leaves: StepBehaviour = ({ step }) => ({ artifact: artifact(step), context: left(step) });
const given = (seen: readonly Seen[], step: string) => seen.filter((one) => one.step === step).map(({ input }) => input.context);

describe('the owner’s one context of a run (action: self)', () => {
  it('goes from step to step, past those of other agents', async () => {
    const world = runPlan(planOf([self('plan'), agent('bull'), self('close')]), { steps: { plan: leaves, close: leaves } });
    await world.result;
    expect(given(world.seen, 'plan')).toEqual([[]]);
    expect(given(world.seen, 'bull')).toEqual([undefined]);
    expect(given(world.seen, 'close')).toEqual([[left('plan')]]);
  });

  it('parts where steps run side by side, and comes together after them', async () => {
    const plan = planOf([self('plan'), parallel('both', [self('a'), self('b')]), self('close'), self('end')]);
    const world = runPlan(plan, { steps: { plan: leaves, a: leaves, b: leaves, close: leaves } });
    await world.result;
    expect([...given(world.seen, 'a'), ...given(world.seen, 'b')]).toEqual([[left('plan')], [left('plan')]]);
    expect(given(world.seen, 'close')).toEqual([[left('a'), left('b')]]);
    expect(given(world.seen, 'end')).toEqual([[left('close')]]);
  });

  it('is the same for all calls of one try, and as it was for the next try of a step that failed', async () => {
    let calls = 0;
    const plan = planOf([self('plan'), self('close')]);
    const world = runPlan(plan, {
      steps: {
        plan: leaves,
        close: ({ input }) => {
          calls += 1;
          if (calls === 1) return { paused: { kind: 'spawned', children: [{ id: 'close#1~1/spawn-1', agent: 'boss', task: 't' }] } };
          if (input.spawn) return { artifact: artifact('child') };
          if (calls === 3) throw new ThermidorFailure('agent.timeout', 'late');
          return { context: left('close') };
        },
      },
    });
    await world.elapse();
    await world.result;
    expect(given(world.seen, 'close').filter(Boolean)).toEqual([[left('plan')], [left('plan')], [left('plan')]]);
  });
});
