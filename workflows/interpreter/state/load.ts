import type { ControlRef } from '../../../plan/run/artifact';
import { bug } from '../../../plan/run/failure';
import type { PackedPart } from '../../../plan/run/packed-part';
import type { OpenedRun } from '../../../plan/run/run-activities';
import type { ControlPlan } from '../../../plan/steps/control';
import { orderOf } from '../../../plan/steps/order';
import { isJsonObject, type Json } from '../../../plan/text/json';
import type { ActivityOptions, RunContext } from '../../run-context';
import { planPositions } from '../scheduling/place';
import { unpacked, unpackedWhole } from './unpack';

/**
 * What a run begins with, from the store.
 *
 * Invariant: what one workflow task brings stays below the server's limit for it (4 MiB): the first part of packed data comes by a local
 * activity, and each other by a regular one, which ends the task.
 *
 * Parts are cut by size, and a run keeps the whole plan: loading parts by block, as blocks are reached, would save a quarter of a run's
 * memory at most, and add an activity for each block.
 */
/** The context of runs and merge queues that concerns their states. */
export interface StateContext extends Pick<RunContext, 'activity'> {
  readonly info: Pick<RunContext['info'], 'firstRunId'>;
}

const LOAD_MS = 60_000;
const FIRST: ActivityOptions = { local: true, kept: true, startToCloseMs: LOAD_MS };

/** The controlling part of the plan, if it was too large for the result that opened the run. */
export async function loadPlan(ctx: RunContext): Promise<ControlPlan> {
  const { firstRunId: run } = ctx.info;
  const plan = await unpacked(await ctx.activity('loadPlan', { run }, FIRST), (from) =>
    ctx.activity('loadPlan', { run, from }, further(`run/plan-${from}`)),
  );
  if (!isControlPlan(plan)) throw bug("the run's plan cannot be read");
  // Now, and not with the state: both together would take one activation too long.
  orderOf(plan.block);
  planPositions(plan);
  return plan;
}

/** The result that opened the run; packed, unless it is too large or comes from memory. */
export function readOpened(stored: OpenedRun | PackedPart): OpenedRun {
  const opened = isPacked(stored) ? unpackedWhole(stored) : stored;
  if (!isOpened(opened)) throw bug('what the run was opened with cannot be read');
  return opened;
}

export async function loadState(ctx: StateContext, ref: ControlRef<'snapshot' | 'carry'>): Promise<Json> {
  const { firstRunId: run } = ctx.info;
  const stored = await ctx.activity('loadState', { run, ref }, FIRST);
  if (!isPacked(stored)) return stored;
  return unpacked(stored, async (from) => {
    const part = await ctx.activity('loadState', { run, ref, from }, further(`run/state-${from}`));
    if (!isPacked(part)) throw bug("a part of the run's state is not packed");
    return part;
  });
}

function further(address: string): ActivityOptions {
  return { address, kept: true, startToCloseMs: LOAD_MS };
}

/** Checked across realms: in workflow code, outside data has another `Uint8Array`. */
function isPacked(stored: Json | OpenedRun | PackedPart): stored is PackedPart {
  return ArrayBuffer.isView(stored);
}

function isControlPlan(plan: unknown): plan is ControlPlan {
  return isJsonObject(plan) && isJsonObject(plan['block']) && Array.isArray(plan['block']['steps']);
}

function isOpened(opened: unknown): opened is OpenedRun {
  return isJsonObject(opened) && isJsonObject(opened['planRef']) && Array.isArray(opened['searchAttributes']);
}
