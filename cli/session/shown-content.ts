import { stepsById } from '../../activities/run/load-run';
import { missingReferences, ownSecrets, runSecrets } from '../../activities/run/run-secrets';
import { ThermidorFailure } from '../../plan/run/failure';
import type { RunView } from '../../plan/run/status';
import { maskSpelled } from '../../plan/text/masker';
import type { Spelled } from '../../plan/text/spelled-json';
import type { OutputDigest } from '../../records/artifact-store';
import { readSpelledContent } from '../../records/read-content';
import type { Records } from '../../records/records';
import { RUN_RECORD, readRecordedPlan, readRunRecord } from '../../records/runs/run-record';
import { secretsOf } from '../serving/agent-requirements';

/** Steps' outputs as shown to people; the store has them unmasked. */
export interface ShownContent {
  /** The content as JSON, or as text, without the values of the run's secrets. Fails as `ArtifactStore.get`. */
  read(ref: OutputDigest): Promise<Spelled>;
  /** A text without these values. */
  mask(text: string): string;
  /** Secrets whose value is unknown here: the content does not mask them. */
  missing: readonly string[];
}

export async function shownContent(
  records: Records,
  { run: workflowId, firstRunId }: Pick<RunView, 'run' | 'firstRunId'>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ShownContent> {
  const secrets = secretsOf(env);
  const recorded = await records.ledger.get({ workflowId, run: firstRunId }, RUN_RECORD);
  const reader = ({ mask }: Pick<ReturnType<typeof ownSecrets>, 'mask'>) => ({
    read: async (ref: OutputDigest) => maskSpelled(await readSpelledContent(records.artifacts, ref), mask),
    mask,
  });
  const record = recorded === undefined ? undefined : readRunRecord(recorded);
  const plan = record && (await readRecordedPlan(records, record.plan).catch(unlessBug));
  if (!record || !plan) return { ...reader(ownSecrets({ secrets })), missing: [] };
  const run = { record, plan, steps: stepsById(plan) };
  return { ...reader(await runSecrets({ secrets }, run)), missing: await missingReferences({ secrets }, run) };
}

/** A plan of another version, or on another host. */
function unlessBug(error: unknown): undefined {
  if (!(error instanceof ThermidorFailure)) throw error;
}
