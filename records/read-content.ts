import type { ArtifactRef } from '../plan/run/artifact';
import { parseAddress } from '../plan/steps/address';
import type { Json } from '../plan/text/json';
import { parseBoxed } from '../plan/text/json-text';
import { numberAt, plain, type Spelled } from '../plan/text/spelled-json';
import type { ArtifactStore } from './artifact-store';
import type { Records } from './records';

/** Reads an artifact as JSON; as text if it is not JSON. Fails as `ArtifactStore.get`. */
export async function readContent(artifacts: Pick<ArtifactStore, 'get'>, ref: Pick<ArtifactRef, 'sha256'>): Promise<Json> {
  return plain(await readSpelledContent(artifacts, ref));
}

/** Reads an artifact as `readContent` does, and keeps the spelling of a number that is the whole content. */
export async function readSpelledContent(artifacts: Pick<ArtifactStore, 'get'>, ref: Pick<ArtifactRef, 'sha256'>): Promise<Spelled> {
  const text = (await artifacts.get(ref)).toString('utf8');
  try {
    const box = parseBoxed(text);
    return numberAt(box, 'value') ?? box.value;
  } catch {
    return text;
  }
}

/** Where a person finds a step's output: under its name if a worker laid it out, else in the store. */
export async function locateOutput(
  { outputs, artifacts }: Pick<Records, 'outputs' | 'artifacts'>,
  run: string,
  address: string,
  ref: ArtifactRef,
): Promise<string | undefined> {
  const parsed = parseAddress(address);
  const named = parsed === undefined || ref.name === undefined ? undefined : await outputs.locate(run, parsed, ref.name);
  return named ?? (await artifacts.locate(ref));
}
