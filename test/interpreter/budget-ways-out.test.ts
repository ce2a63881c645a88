import { agent, parallel } from '../support/steps';
import { planOf, runPlan } from '../support/world';
import { need, tokens } from './spending';

/** However the call of an agent ends, its reservation returns to the budgets. */

test('an agent that is cancelled while the run does something for it gives back what it holds', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const starts = { id: 'starts#1~1/request-1', agent: 'worker', kind: 'start', pipeline: 'other', plan: 'f'.repeat(64), args: {} } as const;
  const branches = parallel('any', [agent('fast'), agent('starts')], { wait: 'any' });
  const world = runPlan(planOf([branches, agent('after')], { budget: { tokens: 200 } }), {
    whileOpeningChild: () => new Promise(() => undefined),
    steps: {
      fast: async ({ input }) => {
        await finished;
        return need(50, input);
      },
      starts: () => ({ paused: { kind: 'run-requests', runRequests: [{ ...starts, workflowId: 'other-1' }] }, usage: tokens(10) }),
      after: ({ input }) => need(140, input),
    },
  });
  await world.settle();
  finish();
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.status().budget?.tokens).toEqual({ ceiling: 200, spent: 200, reserved: 0, left: 0 });
});
