import { defined } from '../../plan/defined';
import type { ChainResult } from '../../plan/steps/container-activities';
import { isJsonObject, type Json } from '../../plan/text/json';
import type { ArtifactStore } from '../../records/artifact-store';
import { type ActivityCall, requireAddress } from '../activity-call';
import { effectLog } from '../intents';
import type { Toolbox } from '../toolbox';

/** The ledger's record of a command in a chain, under its own address. */
export interface ChainedResult extends ChainResult {
  startedAtMs: number;
  endedAtMs: number;
  /** The whole output if it is small: a crash of the machine may have lost the artifact. */
  text?: string;
}

/** The result of a command in a chain, if it was in one. */
export async function chainedResult({ ledger, artifacts }: Toolbox, call: ActivityCall): Promise<ChainedResult | undefined> {
  const records = await ledger.recordLog(call.key, effectLog(requireAddress(call)));
  await records.close();
  const result = readChained(records.get(call.id));
  if (result) await restore(artifacts, result);
  return result;
}

/** Parses a record; undefined if it is invalid. */
export function readChained(value: Json | undefined): ChainedResult | undefined {
  const known: unknown = value;
  return isJsonObject(value) && isJsonObject(value['output']) ? (known as ChainedResult) : undefined;
}

/** Puts a small output into the store again. */
export async function restore(store: Pick<ArtifactStore, 'put'>, { output: { artifact }, text }: ChainedResult): Promise<void> {
  if (!artifact || text === undefined) return;
  const { mediaType, name } = artifact;
  await store.put(text, { mediaType, ...defined({ name }) });
}
