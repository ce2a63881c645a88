import type { ArtifactRef } from '../../plan/run/artifact';
import type { JournalEntry } from '../../plan/run/journal';
import { field } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import type { ArtifactStore } from '../artifact-store';
import { readContent } from '../read-content';

/**
 * Pages of a run's journal: JSON lists of entries, as artifacts. A page is named by its content, so a repetition stores nothing new; they
 * are not in the ledger, because a run that was reset writes other entries under the same numbers. A run's state says which pages are its
 * own.
 */
export function writeJournalPage(artifacts: Pick<ArtifactStore, 'put'>, entries: readonly JournalEntry[]): Promise<ArtifactRef> {
  const name = `journal-${entries[0]?.seq ?? 0}-${entries.at(-1)?.seq ?? 0}.json`;
  return artifacts.put(jsonText(entries), { mediaType: 'application/json', name });
}

/** Fails as `ArtifactStore.get`. */
export async function readJournalPage(artifacts: Pick<ArtifactStore, 'get'>, ref: Pick<ArtifactRef, 'sha256'>): Promise<JournalEntry[]> {
  const content: unknown = await readContent(artifacts, ref);
  return Array.isArray(content) ? content.filter(isEntry) : [];
}

function isEntry(value: unknown): value is JournalEntry {
  return Number.isSafeInteger(field(value, 'seq')) && field(value, 'kind') !== undefined;
}
