import { ThermidorFailure } from '../plan/run/failure';
import type { Json } from '../plan/text/json';
import { jsonText, parseJson } from '../plan/text/json-text';
import type { ArtifactStore, OutputDigest } from './artifact-store';

/** What JSON text would say of a value: own data only, `undefined` left out. */
export function asJson(value: unknown): Json {
  return parseJson(jsonText(value));
}

/** What Thermidor itself stored as JSON, read as the type it had then. */
export async function getJson<T>(artifacts: ArtifactStore, ref: OutputDigest, what: string): Promise<T> {
  return asStored<T>(await artifacts.get(ref), ref.sha256, what);
}

/** Content of Thermidor's own, read as the type it had when it was stored. Fails with `artifact.missing` where it is not JSON. */
export function asStored<T>(content: Buffer, sha256: string, what: string): T {
  try {
    return parseJson<T>(content.toString('utf8'));
  } catch {
    throw new ThermidorFailure('artifact.missing', `${what}, artifact ${sha256}, is not JSON`, { sha256 });
  }
}
