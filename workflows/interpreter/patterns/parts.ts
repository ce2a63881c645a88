import type { ArtifactRef } from '../../../plan/run/artifact';
import { bug } from '../../../plan/run/failure';
import type { ControlStep } from '../../../plan/steps/control';
import { partId } from '../../../plan/steps/part-id';
import type { Json } from '../../../plan/text/json';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import { type Place, pathWithin } from '../scheduling/place';
import { QUICK_ACTIVITY_MS } from '../steps/activity-timeouts';

/** The parts of a step, for its code: each by the name that the compiler gave it, and its inputs. */

export type PlaceWithParts = Place & { readonly step: { readonly id: string; readonly parts: readonly ControlStep[] } };

export function partOf({ run }: Interpreter, { step, path }: PlaceWithParts, part: string): ControlStep {
  const found = partIn(step.parts, step.id, part);
  if (!found) throw bug(`${run.name(path)} has no part "${partId(step.id, part)}"`);
  return found;
}

/** Undefined if the step has no such part. */
export function partIn(parts: readonly ControlStep[], step: string, part: string): ControlStep | undefined {
  return parts.find(({ id }) => id === partId(step, part));
}

export function partPath({ step, path }: PlaceWithParts, part: string, turn: number): string {
  return pathWithin(path, turn, partId(step.id, part));
}

/** Stores a value that a part is given. `as` is the key of the call and the name of the value; of a step each has another. */
export async function stored({ run }: Interpreter, { path }: Place, ctx: StepContext, as: string, value: () => Json): Promise<ArtifactRef> {
  const options = { address: `${run.address(path)}/${as}`, startToCloseMs: QUICK_ACTIVITY_MS };
  const from = () => ({ run: run.ctx.info.firstRunId, from: { kind: 'value', value: value(), as } as const });
  const { artifact } = await ctx.call(as, 'compose', from, options);
  if (!artifact) throw bug(`"${as}" of ${run.name(path)} was not stored`);
  return artifact;
}
