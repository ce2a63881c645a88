import { lookUpRecorded } from '../../activities/run/ledger-lookup';
import type { LookedUpCall } from '../../plan/run/ledger-lookup';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { Records } from '../../records/records';
import { RUN_RECORD } from '../../records/runs/run-record';

/** The ledger's work that a run does not know of, by call. Without a ledger here there is none. */
export async function unreportedOf(
  { ledger, artifacts }: Records,
  key: { workflowId: string; run: string },
  calls: readonly LookedUpCall[],
): Promise<Record<string, StepOutput>> {
  if (calls.length === 0 || (await ledger.get(key, RUN_RECORD)) === undefined) return {};
  const found: Record<string, StepOutput> = {};
  for (let left = calls; left.length > 0; ) {
    const { done, looked } = await lookUpRecorded({ ledger, artifacts }, key, { calls: [...left] });
    Object.assign(found, done);
    left = left.slice(looked);
  }
  return found;
}
