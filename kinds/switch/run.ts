import { composeOutput } from '../../workflows/interpreter/containers/compose';
import { runBlock } from '../../workflows/interpreter/containers/run-block';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { frameIn, type PlaceOf } from '../../workflows/interpreter/place';

/** The conditions of the cases exclude each other: one runs, and the others are skipped. */
export async function performSwitch(it: Interpreter, place: PlaceOf<'switch'>): Promise<undefined> {
  const frame = frameIn(place);
  await runBlock(it, frame, place);
  const artifact = frame.places.flatMap(({ path }) => it.run.state.records[path]?.artifact ?? [])[0];
  if (artifact) await composeOutput(it, place, { kind: 'artifact', artifact });
  return undefined;
}
