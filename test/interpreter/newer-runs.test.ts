import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import { RUN_VERSION } from '../../plan/run/run-activities';
import { approval } from '../support/steps';
import { planOf, runPlan } from '../support/world';

/** This version leaves runs of a later version to other workers, even if it could read them. */
const PLAN = planOf([approval('ask')]);

describe('a run that a later version has begun', () => {
  it.each<[string, Plan, number]>([
    ['and opened', PLAN, RUN_VERSION + 1],
    ['far later', PLAN, 99],
    ['in a later language', { ...PLAN, irVersion: 99 as Plan['irVersion'] }, RUN_VERSION],
  ])('%s neither fails nor goes on here: the task is left to another worker', async (_, plan, version) => {
    const world = runPlan(plan, { version });
    const error: unknown = await world.result.catch((problem: unknown) => problem);
    // An error that is not one of our failures fails the workflow task and not the run.
    expect(error).toMatchObject({ name: 'WorkerTooOld', message: expect.stringContaining('the run needs a worker') });
    expect(error).not.toBeInstanceOf(ThermidorFailure);
    for (const query of ['status', 'gates']) expect(() => world.query(query)).toThrow('the run needs a worker');
  });

  it('is ours if it has our version or an earlier one', async () => {
    for (const version of [1, RUN_VERSION]) {
      const world = runPlan(PLAN, { version });
      await world.settle();
      expect(world.status().gates).toHaveLength(1);
    }
  });
});
