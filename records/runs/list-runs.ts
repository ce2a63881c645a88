import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { fileName, textOfName } from '../directory/file-name';
import type { Ledger, RunKey } from '../ledger';
import { openLedger } from '../open-records';
import { RUN_RECORD, type RunRecord, readRunRecord } from './run-record';

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

/** The run that a workflow id names; of several that had the id one after the other, the newest. Undefined where there is none. */
export async function newestRun(stateDir: string, workflowId: string): Promise<RunKey | undefined> {
  const ledger = openLedger(stateDir);
  const folder = join(stateDir, 'ledger', fileName(workflowId));
  const found = await Promise.all(
    (await foldersIn(folder)).map(async (name) => {
      const key = { workflowId, run: textOfName(name) ?? name };
      const record = await ledger.get(key, RUN_RECORD);
      return { key, startedAt: record === undefined ? '' : readRunRecord(record).startedAt };
    }),
  );
  return found.sort((a, b) => b.startedAt.localeCompare(a.startedAt))[0]?.key;
}

/** The newest run of a pipeline, by its workflow id. */
export async function newestOfPipeline(stateDir: string, runs: readonly LedgerRun[], pipeline: string): Promise<string | undefined> {
  const ofPipeline = (await openedRuns(stateDir, runs)).find(({ record }) => record.plan.name === `${pipeline}.plan.json`);
  return ofPipeline?.workflowId;
}

/** Runs that were opened, newest first. Those of child pipelines belong to their parents. */
export async function openedRuns(stateDir: string, runs: readonly LedgerRun[]): Promise<{ workflowId: string; record: RunRecord }[]> {
  const ledger = openLedger(stateDir);
  const opened = await Promise.all(
    runs.map(async ({ workflowId, run }) => {
      const record = workflowId === undefined ? undefined : await ledger.get({ workflowId, run }, RUN_RECORD);
      return workflowId === undefined || record === undefined ? [] : [{ workflowId, record: readRunRecord(record) }];
    }),
  );
  const tops = opened.flat().filter(({ record }) => record.parent === undefined);
  return tops.sort((a, b) => b.record.startedAt.localeCompare(a.record.startedAt));
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
