import type { ControlRef } from '../../plan/artifact';
import type { LoadStateInput, SaveStateInput } from '../../plan/contract';
import { ThermidorFailure } from '../../plan/failure';
import type { Json } from '../../plan/json';
import type { RunKey } from '../../records/ledger';
import { readFrozen } from '../../records/read-frozen';
import { RUN_RECORD, readRunRecord } from '../../records/runs/run-record';
import { asStored } from '../../records/stored-json';
import type { Toolbox, WorkerToolbox } from '../toolbox';

/** A payload over 2 MiB wedges a run forever; the state comes back as one when it is loaded. */
const STATE_LIMIT_BYTES = 1_800_000;

/**
 * Stores a run's state for continue-as-new, and lists it in the ledger as this run's own. May run twice. Fails with
 * `values.too-large` where it could not be loaded again.
 */
export async function saveState(
  { control, ledger }: WorkerToolbox,
  key: RunKey,
  { state }: SaveStateInput,
): Promise<ControlRef<'snapshot'>> {
  const text = JSON.stringify(state);
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > STATE_LIMIT_BYTES) {
    const limit = `at most ${STATE_LIMIT_BYTES} can be carried over`;
    throw new ThermidorFailure('values.too-large', `the run's state has ${sizeBytes} bytes; ${limit}`, { sizeBytes });
  }
  const ref = await control.put('snapshot', text, 'state.json');
  await ledger.putIfAbsent(key, snapshotRecord(ref.sha256), true);
  return ref;
}

/** What a run continues from, or what a rerun begins with. Fails with `input.invalid` where it is a state that this run has not saved. */
export async function loadState(toolbox: Toolbox, key: RunKey, { ref }: LoadStateInput): Promise<Json> {
  if (ref.kind !== 'carry') await requireOwn(toolbox, key, ref);
  return asStored<Json>(await readFrozen(toolbox, ref), ref.sha256, "the run's state");
}

/** A run that was opened before the store kept kinds apart continues from what it saved then. */
async function requireOwn({ ledger }: Toolbox, key: RunKey, ref: LoadStateInput['ref']): Promise<void> {
  if (ref.kind === 'snapshot' && (await ledger.get(key, snapshotRecord(ref.sha256))) !== undefined) return;
  const record = await ledger.get(key, RUN_RECORD);
  if (ref.kind === undefined && record !== undefined && readRunRecord(record).plan.kind === undefined) return;
  throw new ThermidorFailure('input.invalid', `"resume" names ${ref.sha256}, which is not a state that run ${key.workflowId} has saved`, {
    sha256: ref.sha256,
  });
}

function snapshotRecord(sha256: string): string {
  return `snapshot/${sha256}`;
}
