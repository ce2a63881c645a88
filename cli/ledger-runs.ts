import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../activities/adapters/error-code';
import { fileName, textOfName } from '../activities/adapters/file-name';
import type { Ledger } from '../activities/ports';
import { RUN_RECORD, type RunRecord, readRunRecord } from '../activities/run/run-record';

/** A run as the ledger's folders have it, without a server. */
export interface LedgerRun {
  /** Undefined where its name was too long to be kept. */
  workflowId: string | undefined;
  /** The id of its first execution. */
  run: string;
  folder: string;
}

/** Every run of the state folder, or those whose id begins so. No order. */
export async function ledgerRuns(stateDir: string, beginning = ''): Promise<LedgerRun[]> {
  const ledger = join(stateDir, 'ledger');
  const prefix = beginning === '' ? '' : fileName(beginning);
  const names = (await foldersIn(ledger)).filter((name) => name !== 'scratch' && name.startsWith(prefix));
  const found = await Promise.all(
    names.map(async (name) =>
      (await foldersIn(join(ledger, name))).map((run): LedgerRun => {
        return { workflowId: textOfName(name), run: textOfName(run) ?? run, folder: join(ledger, name, run) };
      }),
    ),
  );
  return found.flat();
}

/** The runs of child pipelines below a run, and below those. Beside each whose id is known, what it was opened with. */
export async function childrenOf(stateDir: string, ledger: Ledger, run: string): Promise<(LedgerRun & { record: RunRecord })[]> {
  const below = await ledgerRuns(stateDir, `${run}.`);
  const records = await Promise.all(
    below.map(async (child) => {
      const { workflowId } = child;
      const record = workflowId === undefined ? undefined : await ledger.get({ workflowId, run: child.run }, RUN_RECORD);
      return record === undefined ? [] : [{ ...child, record: readRunRecord(record) }];
    }),
  );
  // Somebody may have named a run of its own like that.
  return records.flat().filter(({ record }) => record.parent !== undefined);
}

async function foldersIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
