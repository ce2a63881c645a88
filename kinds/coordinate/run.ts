import { composeOutput } from '../../workflows/interpreter/containers/compose';
import { deadlineOf, runBlock } from '../../workflows/interpreter/containers/run-block';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { makeFrame, type PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { kindStateOf } from '../../workflows/interpreter/state/kind-state';
import { NOTHING_UNROUTED } from './state';

/**
 * The patterns that were selected, as a block of steps (docs/patterns.md): everything that happens in it happens as in a file that has them
 * written out.
 */
export async function performCoordinate(it: Interpreter, place: PlaceOf<'coordinate'>, ctx: StepContext): Promise<undefined> {
  const { block, selected } = place.step;
  const frame = makeFrame({ block, kind: 'block', container: place });
  await runBlock(it, frame, place, deadlineOf(it, place.step, ctx));
  const results = frame.places.flatMap(({ path, step }) => {
    const artifact = it.run.state.records[path]?.output?.artifact;
    return artifact ? [[step.id, artifact] as const] : [];
  });
  const { count, messages } = kindStateOf(it.run.record(place.path), 'coordinate')?.unrouted ?? NOTHING_UNROUTED;
  const own = { patterns: selected.map(({ pattern }) => pattern), unrouted: { count, messages: messages.map((one) => ({ ...one })) } };
  await composeOutput(it, place, { kind: 'fields', own, results: Object.fromEntries(results) });
  return undefined;
}
