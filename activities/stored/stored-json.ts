import type { ArtifactRef } from '../../plan/artifact';
import { ThermidorFailure } from '../../plan/failure';
import type { Json } from '../../plan/json';
import type { ArtifactStore } from '../ports';

/** What JSON text would say of a value: own data only, `undefined` left out. */
export function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** What Thermidor itself stored as JSON, read as the type it had then. */
export async function getJson<T>(artifacts: ArtifactStore, ref: Pick<ArtifactRef, 'sha256'>, what: string): Promise<T> {
  const text = (await artifacts.get(ref)).toString('utf8');
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ThermidorFailure('artifact.missing', `${what}, artifact ${ref.sha256}, is not JSON`, { sha256: ref.sha256 });
  }
}
