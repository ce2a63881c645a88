import type { ArtifactRef } from '../../plan/run/artifact';
import type { JournalInput } from '../../plan/run/run-activities';
import { writeJournalPage } from '../../records/journal/journal-pages';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';

/**
 * Stores a page of the journal; returns its reference, unless it is the run's last. After the last, nobody works for the run any more, so
 * empty folders of its steps are removed. May run twice.
 */
export async function journal(
  { artifacts, endWork }: Toolbox,
  { key }: Pick<ActivityCall, 'key'>,
  { entries, last }: JournalInput,
): Promise<ArtifactRef | null> {
  const ref = await writeJournalPage(artifacts, entries);
  if (!last) return ref;
  await endWork?.(key.workflowId);
  return null;
}
