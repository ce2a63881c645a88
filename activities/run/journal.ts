import type { ArtifactRef } from '../../plan/artifact';
import type { JournalInput } from '../../plan/contract';
import type { Toolbox } from '../toolbox';

/**
 * Stores a page of the journal: a JSON list of its entries. Named by its content, so a repetition stores nothing new; not in
 * the ledger, because a run that was reset writes other entries under the same numbers.
 */
export async function journal({ artifacts }: Toolbox, { entries }: JournalInput): Promise<ArtifactRef> {
  const name = `journal-${entries[0]?.seq ?? 0}-${entries.at(-1)?.seq ?? 0}.json`;
  return await artifacts.put(JSON.stringify(entries), { mediaType: 'application/json', name });
}
