import { type Address, formatPath } from '../../plan/address';
import { field, isJsonObject, type Json } from '../../plan/json';
import type { StepOutput } from '../../plan/step-work';
import { type ActivityCall, requireAddress } from '../call';
import type { ArtifactStore } from '../ports';
import type { Toolbox } from '../toolbox';

/** What a command of a chain leaves in the ledger, under its own address. */
export interface ChainedResult {
  output: StepOutput;
  startedAtMs: number;
  endedAtMs: number;
  /** The whole output where it is small: a crash of the machine may have cost the artifact. */
  text?: string;
}

/**
 * The record log of the commands that stand side by side with one: whichever chain they were in, and whoever asks, a command
 * is found in the same log by its address.
 */
export function chainLog(address: Address): string {
  const container = formatPath(address.path.slice(0, -1));
  return container === '' ? 'commands' : `${container}/commands`;
}

/** What a command did as part of a chain, where it was in one. */
export async function chainedResult({ ledger, artifacts }: Toolbox, call: ActivityCall): Promise<ChainedResult | undefined> {
  const lines = await ledger.lines(call.key, chainLog(requireAddress(call)));
  const found = lines.find((line) => field(line, 'name') === call.id);
  const result = readChained(field(found, 'value'));
  if (result) await restore(artifacts, result);
  return result;
}

/** A record as it was written; undefined where it is none. */
export function readChained(value: Json | undefined): ChainedResult | undefined {
  const known: unknown = value;
  return isJsonObject(value) && isJsonObject(value['output']) ? (known as ChainedResult) : undefined;
}

/** Puts a small output into the store again. */
export async function restore(store: Pick<ArtifactStore, 'put'>, { output: { artifact }, text }: ChainedResult): Promise<void> {
  if (!artifact || text === undefined) return;
  const { mediaType, name } = artifact;
  await store.put(text, { mediaType, ...(name === undefined ? {} : { name }) });
}
