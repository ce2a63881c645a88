import { type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import { command } from '../support/steps';
import { planOf, runPlan } from '../support/world';

/** What JavaScript without types may write. */
const closed = () => new ThermidorFailure('shop.closed' as FailureCode, 'come back tomorrow');

test('a code that is in no table is internal, and the message names it', () => {
  expect(closed()).toMatchObject({ code: 'internal', message: 'shop.closed: come back tomorrow' });
});

test('a step that fails with it ends the run, as with any other', async () => {
  const fails = () => {
    throw closed();
  };
  const world = runPlan(planOf([command('a')]), { steps: { a: fails } });
  await world.elapse();
  await expect(world.result).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining('shop.closed') });
});
