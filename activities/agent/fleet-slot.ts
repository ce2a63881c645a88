import { DEFAULT_CONCURRENT } from '../../plan/plan';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { SlotCall } from '../../records/fleet-slots';
import type { ActivityCall } from '../activity-call';
import type { LoadedRun } from '../run/loaded-run';
import type { Toolbox } from '../toolbox';

/** How often a holder says that it lives. */
const KEEP_MS = 5000;

/**
 * Does an agent's work in one of its pipeline's slots over the fleet. If all are taken, it pauses before anything is paid for, and its run
 * is woken when its turn comes.
 */
export async function withFleetSlot(
  toolbox: Toolbox,
  call: ActivityCall,
  run: LoadedRun,
  work: () => Promise<StepOutput>,
): Promise<StepOutput> {
  const { slots, log } = toolbox;
  if (!slots) return await work();
  const { name, concurrent = DEFAULT_CONCURRENT } = run.plan;
  const limit = toolbox.agentsInFlight ?? Math.max(DEFAULT_CONCURRENT, concurrent);
  const own: SlotCall = { ...call.key, step: call.id };
  const { taken, wake } = await slots.take(name, own, limit);
  await wakeAll(toolbox, call, wake);
  if (!taken) return { paused: { kind: 'in-line' } };
  const failed = (error: unknown) =>
    log('warn', 'a slot of the fleet could not be kept or given back', { call: call.id, error: String(error) });
  const keeping = setInterval(() => void slots.keep(name, own).catch(failed), KEEP_MS);
  try {
    return await work();
  } finally {
    clearInterval(keeping);
    // The work's result counts, whatever happens to the slot, which is freed by itself.
    await slots
      .give(name, own, limit)
      .then((next) => wakeAll(toolbox, call, next))
      .catch(failed);
  }
}

/** A run that does not answer soon loses its place in line. */
async function wakeAll({ log }: Toolbox, call: ActivityCall, calls: readonly SlotCall[]): Promise<void> {
  for (const one of calls) {
    try {
      await call.wake?.(one);
    } catch (error) {
      log('warn', 'a run that has a free slot could not be woken', { waiting: one.workflowId, error: String(error) });
    }
  }
}
