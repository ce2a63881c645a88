import { type ControlRef, readControlRef, STATE_LIMIT_BYTES } from '../../plan/run/artifact';
import type { LoadStateInput, SaveStateInput } from '../../plan/run/contract';
import { ThermidorFailure } from '../../plan/run/failure';
import { type PackedPart, UNPACKED_LIMIT_BYTES } from '../../plan/run/packed-part';
import { isJsonObject, type Json } from '../../plan/text/json';
import type { RunKey } from '../../records/ledger';
import { readControlContent } from '../../records/read-control-content';
import { RUN_RECORD, readRunRecord } from '../../records/runs/run-record';
import { asStored } from '../../records/stored-json';
import { packedPart } from '../stored/pack';
import { textParts } from '../stored/text-parts';
import type { Toolbox, WorkerToolbox } from '../toolbox';

type Stores = Pick<Toolbox, 'artifacts' | 'control' | 'ledger'>;

/**
 * Stores a run's state for continue-as-new, and lists it in the ledger as this run's own. A large one is stored in parts, and of those only
 * what the store does not have from an earlier time is written. May run twice. Fails with `values.too-large`.
 */
export async function saveState(
  { control, ledger }: Pick<WorkerToolbox, 'control' | 'ledger'>,
  key: RunKey,
  { state }: SaveStateInput,
): Promise<ControlRef<'snapshot'>> {
  const text = JSON.stringify(state);
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > STATE_LIMIT_BYTES) {
    const limit = `at most ${STATE_LIMIT_BYTES} can be carried over`;
    throw new ThermidorFailure('values.too-large', `the run's state has ${sizeBytes} bytes; ${limit}`, { sizeBytes });
  }
  const whole = sizeBytes <= UNPACKED_LIMIT_BYTES ? text : JSON.stringify({ parts: await savedParts(control, text) });
  const ref = await control.put('snapshot', whole, 'state.json');
  await ledger.putIfAbsent(key, snapshotRecord(ref.sha256), true);
  return ref;
}

async function savedParts(control: WorkerToolbox['control'], text: string): Promise<ControlRef<'snapshot'>[]> {
  const saved: ControlRef<'snapshot'>[] = [];
  for (const part of textParts(text)) saved.push(await control.put('snapshot', JSON.stringify({ part }), 'state-part.json'));
  return saved;
}

/**
 * What a run continues from, or what a rerun begins with: JSON, packed where it is large. Fails with `input.invalid` where it is a state
 * that this run has not saved.
 */
export async function loadState(toolbox: Stores, key: RunKey, { ref, from }: LoadStateInput): Promise<Json | PackedPart> {
  if (ref.kind !== 'carry') await requireOwn(toolbox, key, ref);
  const stored = asStored<Json>(await readControlContent(toolbox, ref), ref.sha256, "the run's state");
  const parts = isJsonObject(stored) ? stored['parts'] : undefined;
  const text = Array.isArray(parts) ? await joined(toolbox, parts) : JSON.stringify(stored);
  const bytes = Buffer.from(text);
  return from === undefined && bytes.byteLength <= UNPACKED_LIMIT_BYTES ? stored : packedPart(bytes, from);
}

async function joined({ control }: Stores, parts: readonly Json[]): Promise<string> {
  const texts: string[] = [];
  for (const one of parts) {
    const ref = readControlRef(one, 'snapshot');
    const stored = ref && asStored<Json>(await control.get(ref), ref.sha256, "a part of the run's state");
    const part = isJsonObject(stored) ? stored['part'] : undefined;
    if (typeof part !== 'string') throw new ThermidorFailure('internal', "a part of the run's state does not read");
    texts.push(part);
  }
  return texts.join('');
}

/** A run that was opened before the store kept kinds apart continues from what it saved then. */
async function requireOwn({ ledger }: Stores, key: RunKey, ref: LoadStateInput['ref']): Promise<void> {
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
