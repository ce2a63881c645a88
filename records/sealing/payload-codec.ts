import { field } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import { KEY_MARK, type KeyRing } from './key-ring';

/** A payload of Temporal, as far as sealing goes. */
interface SealablePayload {
  metadata?: Record<string, Uint8Array> | null;
  data?: Uint8Array | null;
}

const ENCODING = 'encoding';
/** The words that Temporal's own examples of encryption use. */
const ENCRYPTED = 'binary/encrypted';
const KEY = 'encryption-key-id';
/** Anything else that a key has sealed is no payload. */
const PLACE = 'a payload';

const LENGTH_BYTES = 4;
const MARK = new RegExp(`^${KEY_MARK.source}$`);

/**
 * Seals payloads on their way to the server, and opens them on their way back. They are bound to no workflow: a schedule's input is sealed
 * before its runs have ids, and Temporal's UI asks for a payload without saying whose it is.
 *
 * Invariants: 1. what is not sealed stays as it came; 2. what names a key of the ring and was not sealed with it stays as it came, too, and
 * is unreadable ever after, so that a replay agrees; 3. a key that is missing is no property of the payload: it fails with
 * `encryption.key-missing`, and succeeds once the key is back.
 */
export function payloadCodec<P extends SealablePayload>(ring: KeyRing) {
  return {
    encode: async (payloads: P[]): Promise<P[]> => (ring.use === undefined ? payloads : payloads.map((payload) => sealed(ring, payload))),
    decode: async (payloads: P[]): Promise<P[]> =>
      payloads.some(isSealedPayload) ? payloads.map((payload) => opened(ring, payload)) : payloads,
  };
}

export function isSealedPayload({ metadata }: SealablePayload): boolean {
  const encoding = metadata?.[ENCODING];
  return encoding !== undefined && textOf(encoding) === ENCRYPTED;
}

function sealed<P extends SealablePayload>(ring: KeyRing, payload: P): P {
  const metadata = { [ENCODING]: Buffer.from(ENCRYPTED), [KEY]: Buffer.from(ring.use ?? '') };
  return { ...payload, metadata, data: ring.seal(wholeOf(payload), PLACE) };
}

function opened<P extends SealablePayload>(ring: KeyRing, payload: P): P {
  const mark = textOf(payload.metadata?.[KEY] ?? new Uint8Array());
  if (!isSealedPayload(payload) || !MARK.test(mark)) return payload;
  const whole = ring.open(mark, payload.data ?? new Uint8Array(), PLACE);
  const inner = whole && readWhole(whole);
  return inner ? { ...payload, ...inner } : payload;
}

/** Length of the metadata, metadata as JSON with base64, data. */
function wholeOf({ metadata, data }: SealablePayload): Buffer {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  const head = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.byteLength);
  return Buffer.concat([length, head, data ?? new Uint8Array()]);
}

function readWhole(whole: Buffer): Required<SealablePayload> | undefined {
  if (whole.byteLength < LENGTH_BYTES) return undefined;
  const end = LENGTH_BYTES + whole.readUInt32BE(0);
  const head = jsonIn(whole.toString('utf8', LENGTH_BYTES, end));
  if (head === undefined || typeof head !== 'object' || head === null) return undefined;
  const metadata = Object.keys(head).map((name) => [name, Buffer.from(String(field(head, name)), 'base64')]);
  return { metadata: Object.fromEntries(metadata), data: whole.subarray(end) };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
