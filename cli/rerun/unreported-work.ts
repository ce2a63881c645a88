import type { LookedUpCall } from '../../plan/run/ledger-lookup';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { Records } from '../../records/open-records';

/** What the ledger has of work that a run has no news of, by call. A ledger that is not here has nothing. */
export async function unreportedOf(
  { ledger, artifacts }: Records,
  key: { workflowId: string; run: string },
  calls: readonly LookedUpCall[],
): Promise<Record<string, StepOutput>> {
  const { RUN_RECORD } = require('../../records/runs/run-record') as typeof import('../../records/runs/run-record');
  const { lookUpRecorded } = require('../../activities/run/ledger-lookup') as typeof import('../../activities/run/ledger-lookup');
  if (calls.length === 0 || (await ledger.get(key, RUN_RECORD)) === undefined) return {};
  const found: Record<string, StepOutput> = {};
  for (let left = calls; left.length > 0; ) {
    const { done, looked } = await lookUpRecorded({ ledger, artifacts }, key, { calls: [...left] });
    Object.assign(found, done);
    left = left.slice(looked);
  }
  return found;
}
