import type { ArtifactRef } from '../../plan/run/artifact';
import type { JournalInput } from '../../plan/run/run-activities';
import { writeJournalPage } from '../../records/journal/journal-pages';
import type { Toolbox } from '../toolbox';

/** Stores a page of the journal; answers with its reference, unless it is the run's last. May run twice. */
export async function journal({ artifacts }: Toolbox, { entries, last }: JournalInput): Promise<ArtifactRef | null> {
  const ref = await writeJournalPage(artifacts, entries);
  return last ? null : ref;
}
