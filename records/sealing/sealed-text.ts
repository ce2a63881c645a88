import { ThermidorFailure } from '../../plan/run/failure';
import { isJsonObject, type Json } from '../../plan/text/json';
import { jsonText, parseJson } from '../../plan/text/json-text';
import { KEY_MARK, type KeyRing } from './key-ring';

/** Texts and JSON of a store, sealed: `thermidor-sealed:<mark>:<base64>`, and `{"thermidor-sealed": "<mark>:<base64>"}`. */
const SEALED = 'thermidor-sealed';
const FORM = new RegExp(`^(${KEY_MARK.source}):([A-Za-z0-9+/]+=*)$`);

/** The text itself if the ring seals nothing. */
export function sealText(ring: KeyRing, text: string, place: string): string {
  return ring.use === undefined ? text : `${SEALED}:${sealed(ring, text, place)}`;
}

/** A text that is not sealed stays as it is. Fails with `encryption.key-missing`, and with `store.unavailable` if it is damaged. */
export function openText(ring: KeyRing, text: string, place: string): string {
  return text.startsWith(`${SEALED}:`) ? opened(ring, text.slice(SEALED.length + 1), place) : text;
}

/** The value itself if the ring seals nothing. @param shown fields that readers of the store need */
export function sealJson(ring: KeyRing, value: Json, place: string, shown: readonly string[] = []): Json {
  if (ring.use === undefined) return value;
  const open = isJsonObject(value) ? shown.flatMap((name) => (name in value ? [[name, value[name]] as const] : [])) : [];
  return { ...Object.fromEntries(open), [SEALED]: sealed(ring, jsonText(value), place) };
}

/** As `openText`. */
export function openJson(ring: KeyRing, stored: Json, place: string): Json {
  const text = isJsonObject(stored) ? stored[SEALED] : undefined;
  return typeof text === 'string' ? parseJson(opened(ring, text, place)) : stored;
}

/** The same text, sealed with the key that seals now. One that is not sealed, or is so already, stays as it is. Fails as `openText`. */
export function resealText(ring: KeyRing, text: string, place: string): string {
  if (!text.startsWith(`${SEALED}:`) || text.startsWith(`${SEALED}:${ring.use}:`)) return text;
  return sealText(ring, openText(ring, text, place), place);
}

/** The same for JSON, whose other fields stay. */
export function resealJson(ring: KeyRing, stored: Json, place: string): Json {
  const text = isJsonObject(stored) ? stored[SEALED] : undefined;
  if (!isJsonObject(stored) || typeof text !== 'string' || text.startsWith(`${ring.use}:`)) return stored;
  return { ...stored, [SEALED]: sealed(ring, opened(ring, text, place), place) };
}

export function isSealedJson(stored: Json): boolean {
  return isJsonObject(stored) && typeof stored[SEALED] === 'string';
}

function sealed(ring: KeyRing, text: string, place: string): string {
  return `${ring.use}:${ring.seal(Buffer.from(text), place).toString('base64')}`;
}

function opened(ring: KeyRing, text: string, place: string): string {
  const [, mark, base64] = FORM.exec(text) ?? [];
  const plain = mark === undefined || base64 === undefined ? undefined : ring.open(mark, Buffer.from(base64, 'base64'), place);
  if (plain) return plain.toString('utf8');
  throw new ThermidorFailure('store.unavailable', `${place.split('\n', 1)[0]} is damaged: it does not open with the key that it names`);
}
