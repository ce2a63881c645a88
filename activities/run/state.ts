import type { ArtifactRef } from '../../plan/artifact';
import type { LoadStateInput, SaveStateInput } from '../../plan/contract';
import { ThermidorFailure } from '../../plan/failure';
import type { Json } from '../../plan/json';
import { getJson } from '../stored/stored-json';
import type { Toolbox } from '../toolbox';

/** A payload over 2 MiB wedges a run for ever; the state comes back as one when it is loaded. */
const STATE_LIMIT_BYTES = 1_800_000;

/** Stores a run's state for continue-as-new. Fails with `values.too-large` where it could not be loaded again. */
export async function saveState({ artifacts }: Toolbox, { state }: SaveStateInput): Promise<ArtifactRef> {
  const text = JSON.stringify(state);
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > STATE_LIMIT_BYTES) {
    const limit = `at most ${STATE_LIMIT_BYTES} can be carried over`;
    throw new ThermidorFailure('values.too-large', `the run's state has ${sizeBytes} bytes; ${limit}`, { sizeBytes });
  }
  return await artifacts.put(text, { mediaType: 'application/json', name: 'state.json' });
}

export async function loadState({ artifacts }: Toolbox, { ref }: LoadStateInput): Promise<Json> {
  return await getJson<Json>(artifacts, ref, "the run's state");
}
