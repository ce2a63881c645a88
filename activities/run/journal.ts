import type { ArtifactRef } from '../../plan/artifact';
import type { JournalInput } from '../../plan/contract';
import { writePage } from '../../records/journal/journal-pages';
import type { Toolbox } from '../toolbox';

/** Stores a page of the journal. May run twice. */
export async function journal({ artifacts }: Toolbox, { entries }: JournalInput): Promise<ArtifactRef> {
  return await writePage(artifacts, entries);
}
