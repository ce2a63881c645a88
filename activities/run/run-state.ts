import { type ControlRef, readControlRef, STATE_LIMIT_BYTES } from '../../plan/run/artifact';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import { jsonLines } from '../../plan/run/json-lines';
import { PART_TEXT_LIMIT_BYTES, type PackedPart, UNPACKED_LIMIT_BYTES } from '../../plan/run/packed-part';
import type { LoadStateInput, SaveStateInput } from '../../plan/run/run-activities';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import type { RunKey } from '../../records/ledger';
import { asStored } from '../../records/stored-json';
import { packedPart } from '../stored/pack';
import { textParts } from '../stored/text-parts';
import type { Toolbox, WorkerToolbox } from '../toolbox';

type Stores = Pick<Toolbox, 'control' | 'ledger'>;

/**
 * Stores a run's state for continue-as-new, and lists it in the ledger as this run's own. A large one is stored in parts, and only parts
 * that the store does not have yet are written. May run twice. Fails with `values.too-large`.
 */
export async function saveState(
  { control, ledger }: Pick<WorkerToolbox, 'control' | 'ledger'>,
  key: RunKey,
  { state }: SaveStateInput,
): Promise<ControlRef<'snapshot'>> {
  const text = jsonLines(state);
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > STATE_LIMIT_BYTES) {
    const limit = `at most ${STATE_LIMIT_BYTES} can be carried over`;
    throw new ThermidorFailure('values.too-large', `the run's state has ${sizeBytes} bytes; ${limit}`, { sizeBytes });
  }
  const whole = sizeBytes <= UNPACKED_LIMIT_BYTES ? jsonText(state) : JSON.stringify(await savedParts(control, text));
  const ref = await control.put('snapshot', whole, 'state.json');
  await ledger.putIfAbsent(key, snapshotRecord(ref.sha256), true);
  return ref;
}

/** A state in parts, with the size of each part's text in bytes. */
type StateParts = { parts: ControlRef<'snapshot'>[]; sizes: number[] };

async function savedParts(control: WorkerToolbox['control'], text: string): Promise<StateParts> {
  const parts: ControlRef<'snapshot'>[] = [];
  const sizes: number[] = [];
  for (const part of textParts(text)) {
    parts.push(await control.put('snapshot', JSON.stringify({ part }), 'state-part.json'));
    sizes.push(Buffer.byteLength(part));
  }
  return { parts, sizes };
}

/**
 * The state from which a run continues, or with which a rerun begins: JSON, packed if it is large. Fails with `input.invalid` if this run
 * has not saved it.
 */
export async function loadState(toolbox: Stores, key: RunKey, { ref, from = 0 }: LoadStateInput): Promise<Json | PackedPart> {
  if (ref.kind !== 'carry') await requireOwn(toolbox, key, ref);
  const content = await toolbox.control.get(ref);
  const stored = asStored<Json>(content, ref.sha256, "the run's state");
  const parts = readParts(stored);
  if (parts) {
    const { text, more } = await textFrom(toolbox, parts, from);
    return packedPart(text, more);
  }
  if (from === 0 && content.byteLength <= UNPACKED_LIMIT_BYTES) return stored;
  return packedPart(Buffer.from(isJsonObject(stored) ? jsonLines(stored) : jsonText(stored)).subarray(from));
}

/** As much of the text from a byte on as one answer takes, from the parts that contain it. */
async function textFrom({ control }: Stores, { parts, sizes }: StateParts, from: number): Promise<{ text: Buffer; more: 'more' | 'all' }> {
  const texts: Buffer[] = [];
  let begins = 0;
  let had = 0;
  for (const [i, ref] of parts.entries()) {
    const size = sizes[i] ?? 0;
    if (begins + size <= from) {
      begins += size;
      continue;
    }
    if (had > PART_TEXT_LIMIT_BYTES) return { text: Buffer.concat(texts), more: 'more' };
    const part = Buffer.from(await partText(control, ref));
    if (part.length !== size) throw unreadable('a part of it has changed its size');
    const text = part.subarray(Math.max(0, from - begins));
    begins += part.length;
    texts.push(text);
    had += text.length;
  }
  return { text: Buffer.concat(texts), more: 'all' };
}

async function partText(control: Stores['control'], ref: ControlRef<'snapshot'>): Promise<string> {
  const stored = asStored<Json>(await control.get(ref), ref.sha256, "a part of the run's state");
  const part = isJsonObject(stored) ? stored['part'] : undefined;
  if (typeof part !== 'string') throw unreadable('a part of it is not a text');
  return part;
}

/** Undefined if the stored value is the state itself. */
function readParts(stored: Json): StateParts | undefined {
  const [parts, sizes] = [field(stored, 'parts'), field(stored, 'sizes')];
  if (!Array.isArray(parts)) return undefined;
  const refs = parts.flatMap((part) => readControlRef(part, 'snapshot') ?? []);
  if (refs.length !== parts.length) throw unreadable('one of its parts has no reference');
  const numbers = (Array.isArray(sizes) ? sizes : []).filter((size) => typeof size === 'number');
  if (numbers.length !== parts.length) throw unreadable('one of its parts has no size');
  return { parts: refs, sizes: numbers };
}

function unreadable(why: string): ThermidorFailure {
  return bug(`the run's state cannot be read: ${why}`);
}

async function requireOwn({ ledger }: Stores, key: RunKey, ref: LoadStateInput['ref']): Promise<void> {
  if (ref.kind === 'snapshot' && (await ledger.get(key, snapshotRecord(ref.sha256))) !== undefined) return;
  throw new ThermidorFailure('input.invalid', `"resume" names ${ref.sha256}, which is not a state that run ${key.workflowId} has saved`, {
    sha256: ref.sha256,
  });
}

function snapshotRecord(sha256: string): string {
  return `snapshot/${sha256}`;
}
