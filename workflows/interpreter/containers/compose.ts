import type { Composition } from '../../../plan/steps/container-activities';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { QUICK_ACTIVITY_MS } from '../steps/activity-timeouts';
import { recordOutput } from '../steps/record-output';

/** Has an activity make the output of a step that did not produce one itself. */
export async function composeOutput(it: Interpreter, place: Place, from: Composition, suffix = 'compose'): Promise<void> {
  const { run } = it;
  const output = await run.activity(
    place,
    'compose',
    { run: run.ctx.info.firstRunId, from },
    { address: `${run.address(place.path)}/${suffix}`, startToCloseMs: COMPOSE_MS },
  );
  recordOutput(run.record(place.path), place.step, output);
}
/** Of a large loop, minutes. */
const COMPOSE_MS = 10 * QUICK_ACTIVITY_MS;
