import type { ArtifactRef } from '../../plan/run/artifact';
import type { JournalInput } from '../../plan/run/contract';
import { writeJournalPage } from '../../records/journal/journal-pages';
import type { Toolbox } from '../toolbox';

/** Stores a page of the journal. May run twice. */
export async function journal({ artifacts }: Toolbox, { entries }: JournalInput): Promise<ArtifactRef> {
  return await writeJournalPage(artifacts, entries);
}
