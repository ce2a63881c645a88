import type { ChildOutput } from '../../../plan/run/child';
import type { Composition } from '../../../plan/steps/container-activities';
import { copyField } from '../../../plan/text/spelled-json';
import { Cancelled } from '../../run-context';
import type { Interpreter } from '../interpreter';
import { isSuperseded, type Place } from '../scheduling/place';
import { HEARTBEAT_MS, QUICK_ACTIVITY_MS } from '../steps/activity-timeouts';
import { recordOutput } from '../steps/record-output';

/** Makes the output of a step that did not produce one itself, by an activity. A round that is cancelled meanwhile has none. */
export function composeOutput({ run }: Interpreter, place: Place, from: Composition): Promise<void> {
  const input = { run: run.ctx.info.firstRunId, from };
  const options = { address: `${run.address(place.path)}/compose`, startToCloseMs: COMPOSE_MS, heartbeatMs: HEARTBEAT_MS };
  return run.activity(place, 'compose', input, options).then((output) => {
    if (isSuperseded(place)) throw new Cancelled();
    recordOutput(run.record(place.path), place.step, output);
  });
}

export function compositionOf(output: ChildOutput): Composition {
  return 'artifact' in output ? { kind: 'artifact', ...output } : valueIn(output, 'value');
}

/** The value of a field, null if there is none; a number keeps its spelling. */
export function valueIn(container: object, key: string): Composition {
  const composition = { kind: 'value', value: null } as const;
  if (Reflect.get(container, key) !== undefined) copyField(container, key, composition, 'value');
  return composition;
}

/** A large loop takes minutes. Another worker takes over from one that died long before. */
const COMPOSE_MS = 10 * QUICK_ACTIVITY_MS;
