import { composeOutput } from '../../workflows/interpreter/containers/compose';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';

/** Nobody works yet: the board is put out as it was opened. */
export async function performBoard(it: Interpreter, place: PlaceOf<'board'>): Promise<undefined> {
  const { team } = place.step;
  await composeOutput(it, place, { kind: 'value', value: { team, end: 'unfinished', tasks: [], members: [], messages: [] } });
  return undefined;
}
