import { composeOutput } from '../../workflows/interpreter/containers/compose';
import { deadlineOf, runBlock } from '../../workflows/interpreter/containers/run-block';
import { locatedFailure } from '../../workflows/interpreter/context/scope-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { type Frame, frameIn, type PlaceOf } from '../../workflows/interpreter/scheduling/place';

/** The conditions of the cases exclude each other: one runs, and the others are skipped. */
export async function performSwitch(it: Interpreter, place: PlaceOf<'switch'>, ctx: StepContext): Promise<undefined> {
  const frame = frameIn(place);
  await runBlock(it, frame, place, deadlineOf(it, place.step, ctx));
  failWithCase(it, frame);
  const artifact = frame.places.flatMap(({ path }) => it.run.state.records[path]?.output?.artifact ?? [])[0];
  if (artifact) await composeOutput(it, place, { kind: 'artifact', artifact });
  return undefined;
}

/** A failing branch stops no other; a switch has no other. */
function failWithCase({ run }: Interpreter, { places }: Frame): void {
  for (const { path } of places) {
    const { state, error } = run.state.records[path] ?? {};
    if (state !== 'failed' || !error || error.tolerated) continue;
    throw locatedFailure(error, run.name(path));
  }
}
