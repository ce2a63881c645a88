import { deferred } from '../../workflows/interpreter/scheduling/deferred';
import { agent, command, parallel } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour } from '../support/world';
import { need, needing, tokens } from './spending';

/** Agents keep their reservations in budgets if an execution closes while they are about to continue. */

/** Work that ends when the test allows it. An execution whose history is full waits for it before it closes. */
function gate(): { open: () => void; behaviour: StepBehaviour } {
  const { promise, resolve } = deferred<void>();
  return {
    open: resolve,
    behaviour: async () => {
      await promise;
      return { artifact: artifact('long') };
    },
  };
}

test('an agent that is granted more while an execution closes holds it in the next', async () => {
  const long = gate();
  const work = deferred<void>();
  const branches = [command('long'), agent('asks', { budget: { tokens: 10 } }), agent('other')];
  const world = runPlan(planOf([parallel('all', branches)], { budget: { tokens: 100 } }), {
    activitiesPerExecution: 5,
    steps: {
      long: long.behaviour,
      asks: async ({ input }) => {
        const output = need(60, input);
        if (!output.paused) await work.promise;
        return output;
      },
      other: needing(20),
    },
  });
  await world.settle();
  await world.update('extend_budget', { tokens: 60 });
  expect(world.executions).toBe(1);
  long.open();
  await world.settle();
  expect(world.executions).toBe(2);
  expect(world.status().budget?.tokens).toMatchObject({ spent: 20, reserved: 60 });
  work.resolve();
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});

test('a question that is answered while an execution closes is nobody’s in the next, and another may be put', async () => {
  const long = gate();
  const saving = deferred<void>();
  const calls =
    (needed: number): StepBehaviour =>
    ({ input }) =>
      (input.budget?.toolCalls ?? 0) >= needed
        ? { artifact: artifact('done'), usage: tokens(0) }
        : { paused: { kind: 'budget', short: { kind: 'toolCalls', needed } }, usage: tokens(0) };
  const world = runPlan(planOf([parallel('all', [command('long'), agent('few'), agent('many')])], { budget: { toolCallsPerStep: 2 } }), {
    activitiesPerExecution: 5,
    whileSaving: () => saving.promise,
    steps: { long: long.behaviour, few: calls(3), many: calls(5) },
  });
  await world.settle();
  expect(world.status().gates).toMatchObject([{ kind: 'budget', step: 'all[1]/few' }]);
  long.open();
  await world.settle();
  world.signal('extend_budget', { tool_calls_per_step: 3 });
  await world.settle();
  expect(world.executions).toBe(1);
  saving.resolve();
  await world.settle();
  expect(world.executions).toBeGreaterThan(1);
  expect(world.status().gates).toMatchObject([{ kind: 'budget', step: 'all[2]/many' }]);
  await world.update('extend_budget', { tool_calls_per_step: 5 });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});

test('an agent that an execution which closes did not begin has used nothing if the run is aborted then', async () => {
  const long = gate();
  const saving = deferred<void>();
  const branches = [command('long'), agent('asks', { budget: { tokens: 10 } })];
  const world = runPlan(planOf([parallel('all', branches)], { budget: { tokens: 100 } }), {
    activitiesPerExecution: 4,
    whileSaving: () => saving.promise,
    steps: { long: long.behaviour, asks: needing(60) },
  });
  await world.settle();
  await world.update('extend_budget', { tokens: 60 });
  long.open();
  await world.settle();
  expect(world.status().budget?.tokens).toMatchObject({ spent: 0, reserved: 60 });
  world.signal('abort', { by: 'ops' });
  saving.resolve();
  await expect(world.result).rejects.toMatchObject({ code: 'run.aborted' });
  expect(world.status().budget?.tokens).toMatchObject({ spent: 0, reserved: 0 });
});
