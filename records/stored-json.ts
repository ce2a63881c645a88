import { ThermidorFailure } from '../plan/run/failure';
import type { Json } from '../plan/text/json';
import { jsonText, parseJson } from '../plan/text/json-text';
import type { ArtifactStore, OutputDigest } from './artifact-store';

/** The value that JSON text would give: own data only, without `undefined`. */
export function asJson(value: unknown): Json {
  return parseJson(jsonText(value));
}

/** Reads what Thermidor itself stored as JSON, with the type it had then. */
export async function getJson<T>(artifacts: ArtifactStore, ref: OutputDigest, what: string): Promise<T> {
  return asStored<T>(await artifacts.get(ref), ref.sha256, what);
}

/** Reads content of Thermidor's own with the type it had when it was stored. Fails with `artifact.missing` if it is not JSON. */
export function asStored<T>(content: Buffer, sha256: string, what: string): T {
  try {
    return parseJson<T>(content.toString('utf8'));
  } catch {
    throw new ThermidorFailure('artifact.missing', `${what}, artifact ${sha256}, is not JSON`, { sha256 });
  }
}
