import { field, isJsonObject, type Json } from '../../../plan/text/json';
import { beginning } from '../../../plan/text/shortened';
import { parseUntrustedJson } from '../../../plan/text/untrusted-json';
import { unlessAborted } from '../../deadline';
import type { StageCall } from '../stage-call';
import { parseFlag, stageFailed } from '../stage-failure';
import type { StagePorts } from '../stage-ports';

/** How much of a refusal's body goes into the message. */
const QUOTED_LENGTH = 400;

export interface PostRequest {
  url: URL;
  /** Sent as a bearer token; empty: none. */
  token: string;
  body: Json;
}

/** An answer of a service, before it is judged. */
export interface PostAnswer {
  ok: boolean;
  status: string;
  /** The beginning of its text. */
  said: string;
  /** Undefined if it is not JSON. */
  json: Json | undefined;
}

/** Posts JSON. Fails with `stage.failed` if nobody answers, `output.too-large`. */
export async function postJson(call: StageCall, { url, token, body }: PostRequest, ports: StagePorts): Promise<PostAnswer> {
  const headers = { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) };
  const limitBytes = responseLimit(call, ports);
  const answer = ports.http.post({ url, headers, body: JSON.stringify(body), limitBytes }, ports.signal);
  // A service that does not listen is left alone.
  const { status, statusText, text } = await unlessAborted(ports.signal, answer);
  return {
    ok: status >= 200 && status < 300,
    status: `${status} ${statusText}`.trim(),
    said: beginning(ports.mask?.(text) ?? text, QUOTED_LENGTH),
    json: parsed(text),
  };
}

/** An empty text is null. */
function parsed(text: string): Json | undefined {
  return text === '' ? null : parseUntrustedJson(text);
}

export function isEnvelope(json: Json | undefined): boolean {
  return isJsonObject(json) && Object.hasOwn(json, 'ok');
}

export function errorMessage(envelope: Json | undefined, otherwise: string): string {
  const message = field(field(envelope, 'error'), 'message');
  return typeof message === 'string' ? message : otherwise;
}

/** An address from the environment or the author. Fails with `stage.failed` if it is no http address. */
export function httpUrl(call: StageCall, address: string, base?: string): URL {
  const parse = () => new URL(address, base);
  const url = URL.canParse(address, base) ? parse() : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw stageFailed(call, `${call.calledAs} requires an http(s) address`);
}

/** The first of these variables that says something. */
export function fromEnvironment(environment: Readonly<Record<string, string>>, ...names: string[]): string {
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value) return value;
  }
  return '';
}

function responseLimit(call: StageCall, { environment, limitBytes }: StagePorts): number {
  const written = fromEnvironment(environment, 'LOBSTER_MAX_HTTP_RESPONSE_BYTES');
  if (written === '') return limitBytes;
  const limit = Number(written);
  if (!/^\d+$/.test(written) || !Number.isSafeInteger(limit) || limit === 0) {
    throw stageFailed(call, 'LOBSTER_MAX_HTTP_RESPONSE_BYTES must be a positive safe integer (bytes)');
  }
  return Math.min(limit, limitBytes);
}

/** The object that a flag gives as JSON; undefined if it is absent or empty. */
export function objectFlag(call: StageCall, name: string, written: string | undefined): Record<string, Json> | undefined {
  if (!written) return undefined;
  const what = `${call.calledAs} --${name} must be a JSON object`;
  const value = parseFlag(call, written, what);
  if (!isJsonObject(value)) throw stageFailed(call, what);
  return value;
}
