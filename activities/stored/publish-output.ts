import type { ArtifactRef } from '../../plan/run/artifact';
import { type Address, formatAddress } from '../../plan/steps/address';
import type { Toolbox } from '../toolbox';

/** Lays an output out by its name for people, unless it is empty. Never fails: the artifact is in the store either way. */
export async function publishOutput(
  toolbox: Toolbox,
  workflowId: string,
  address: Address,
  artifact: ArtifactRef | undefined,
): Promise<void> {
  if (!artifact || artifact.sizeBytes === 0 || !toolbox.layOut) return;
  try {
    await toolbox.layOut(artifact, workflowId, address);
  } catch (error) {
    const fields = { call: formatAddress(address), error: String(error), workflowId };
    toolbox.log('warn', `"${artifact.name ?? artifact.sha256}" could not be laid out by its name`, fields);
  }
}
