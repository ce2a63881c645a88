import type { ArtifactRef } from '../../plan/run/artifact';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import { deadlineOf, runBlock } from '../../workflows/interpreter/containers/run-block';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { makeFrame, type PlaceOf } from '../../workflows/interpreter/scheduling/place';

/** A branch of several steps. Its output is that of the last of them that ran. */
export async function performGroup(it: Interpreter, place: PlaceOf<'group'>, ctx: StepContext): Promise<undefined> {
  const frame = makeFrame({ block: place.step.block, kind: 'block', container: place });
  await runBlock(it, frame, place, deadlineOf(it, place.step, ctx));
  const artifact = lastArtifact(
    it,
    frame.places.map(({ path }) => path),
  );
  if (artifact) await composeOutput(it, place, { kind: 'artifact', artifact });
  return undefined;
}

function lastArtifact({ run }: Interpreter, paths: readonly string[]): ArtifactRef | undefined {
  const last = paths.findLast((path) => run.state.records[path]?.output?.artifact !== undefined);
  return last === undefined ? undefined : run.state.records[last]?.output?.artifact;
}
