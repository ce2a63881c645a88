import type { JournalEntry } from '../../../plan/run/journal';
import type { Paid } from '../../../records/accounts/sum';
import type { ExportedFile, ExportManifest } from '../../../records/exports/export-manifest';
import type { ExportedRun } from '../../../records/exports/exported-run';
import type { ExportedContent } from '../export-content';

/** A run as the page shows it. */
export interface PagedRun extends ExportedRun {
  paid: readonly Paid[];
  /** Entries of its journal, and how many it has in all. */
  shown: readonly JournalEntry[];
  entries: number;
}

export interface PagedExport {
  manifest: Omit<ExportManifest, 'files'>;
  runs: readonly PagedRun[];
  /** By the digest that the run names. */
  contents: ReadonlyMap<string, ExportedContent>;
  files: readonly ExportedFile[];
}
