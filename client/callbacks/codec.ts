import { ThermidorFailure } from '../../plan/run/failure';
import { field, isJsonObject, type JsonObject } from '../../plan/text/json';
import type { CallbackContext, CodecPayload, CodecPort } from './callback-context';
import { readObject } from './read-request';
import { CallbackRefused } from './refusal';
import type { RequestFacts } from './refusal-record';
import { isSame } from './signatures';

/** A page of a history, which the server keeps below 4 MiB, in base64. */
export const CODEC_LIMIT_BYTES = 8 * 1024 * 1024;
const MOST_PAYLOADS = 10_000;

/** The origin of the page that asks, if it may. Undefined for programs. Throws `CallbackRefused` 403, 404. */
export function askingOrigin({ settings }: CallbackContext, headers: Headers): string | undefined {
  if (settings.codec === undefined) throw new CallbackRefused(404, 'payloads are not opened here: encryption.codec is not set');
  const origin = headers.get('origin');
  if (origin === null || settings.codec.origins?.includes(origin)) return origin ?? undefined;
  throw new CallbackRefused(403, 'pages from there may not ask: encryption.codec.origins does not list it');
}

/**
 * Who asks: `Authorization: Basic` with name and token, as browsers ask for, or `Bearer NAME:TOKEN`. Throws `CallbackRefused` 401 if that
 * is nobody of `encryption.codec.people` with their token. Requests of the proven are not counted: UI and command line make one for each
 * payload, and a history has thousands.
 */
export async function provenAsker({ settings, ports }: CallbackContext, about: RequestFacts, headers: Headers): Promise<void> {
  const [, way = '', said = ''] = /^(Basic|Bearer) (\S{1,2000})$/i.exec(headers.get('authorization') ?? '') ?? [];
  const pair = way.toLowerCase() === 'basic' ? Buffer.from(said, 'base64').toString('utf8') : said;
  const colon = pair.indexOf(':');
  const [by, token] = [pair.slice(0, Math.max(0, colon)), pair.slice(colon + 1)];
  const listed = settings.codec?.people.includes(by) ?? false;
  const own = (listed ? await ports.tokenOf(by) : undefined) ?? '';
  // Compared even if there is nothing to compare with, so that the time does not reveal who is listed.
  if (!isSame(token, own) || own === '') throw new CallbackRefused(401, 'a name of encryption.codec.people and its token are required');
  about.by = by;
  about.from = `codec:${by}`;
}

/** Temporal's protocol of codec servers: `{payloads: [{metadata, data}]}`, bytes in base64. Throws `CallbackRefused`. */
export async function coded({ ports }: CallbackContext, way: keyof CodecPort, body: Buffer): Promise<JsonObject> {
  const payloads = payloadsIn(readObject(body));
  try {
    const answer = await ports.codec[way](payloads);
    return { payloads: answer.map(({ metadata, data }) => ({ metadata: inBase64(metadata), data: Buffer.from(data).toString('base64') })) };
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'encryption.key-missing') throw new CallbackRefused(422, error.message);
    throw error;
  }
}

function payloadsIn(said: JsonObject): CodecPayload[] {
  const { payloads } = said;
  if (!Array.isArray(payloads) || payloads.length > MOST_PAYLOADS) {
    throw new CallbackRefused(400, `"payloads" must be a list of at most ${MOST_PAYLOADS}`);
  }
  return payloads.map((payload) => {
    const [metadata = {}, data = ''] = [field(payload, 'metadata'), field(payload, 'data')];
    if (!isJsonObject(payload) || !isJsonObject(metadata) || typeof data !== 'string') throw notPayload();
    const bytes = Object.entries(metadata).map(([name, value]) => {
      if (typeof value !== 'string') throw notPayload();
      return [name, Buffer.from(value, 'base64')] as const;
    });
    return { metadata: Object.fromEntries(bytes), data: Buffer.from(data, 'base64') };
  });
}

function notPayload(): CallbackRefused {
  return new CallbackRefused(400, 'a payload has "metadata" and "data", bytes in base64');
}

function inBase64(metadata: CodecPayload['metadata']): JsonObject {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value).toString('base64')]));
}
