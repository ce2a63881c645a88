import type { Json } from '../../plan/text/json';
import { field } from '../../plan/text/json';
import type { Ledger, RunKey } from '../ledger';

/**
 * A run that another installation has exported. It has the workflow id that it had there, and for the id of its first execution one that no
 * server gives. So nothing that workers do is ever for its records, whatever the export says, and every reader knows it by its key.
 */
const IMPORTED = /^imported-[0-9a-f]{64}$/;

/** @param manifestSha256 the digest of the export's manifest: the same export is the same run */
export function importedKey(workflowId: string, manifestSha256: string): RunKey {
  return { workflowId, run: `imported-${manifestSha256}` };
}

/** @param firstRun the id of a run's first execution */
export function isImported(firstRun: string): boolean {
  return IMPORTED.test(firstRun);
}

/** Where an imported run comes from. Name of the record in the ledger: `imported`. */
export interface ImportRecord {
  exportedAt: string;
  importedAt: string;
  /** It had not ended when it was exported. */
  wasOpen?: true;
}

export const IMPORT_RECORD = 'imported';

/** Undefined for a run of this installation. */
export async function readImport(ledger: Pick<Ledger, 'get'>, key: RunKey): Promise<ImportRecord | undefined> {
  if (!isImported(key.run)) return undefined;
  const stored = await ledger.get(key, IMPORT_RECORD);
  const [exportedAt, importedAt] = [text(stored, 'exportedAt'), text(stored, 'importedAt')];
  return { exportedAt, importedAt, ...(field(stored, 'wasOpen') === true ? { wasOpen: true } : {}) };
}

function text(stored: Json | undefined, name: string): string {
  const value = field(stored, name);
  return typeof value === 'string' ? value : 'an unknown time';
}
