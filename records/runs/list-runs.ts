import type { Ledger, RunKey } from '../ledger';
import type { Records } from '../records';
import type { ListedRun } from '../run-index';
import { RUN_RECORD, type RunRecord, readRunRecord } from './run-record';

/** Runs as a store has them, without a server. */
export type RunRecords = { runs: Pick<Records['runs'], 'list' | 'runsOf'>; ledger: RecordReader };
type RecordReader = Pick<Ledger, 'get'>;

/** The runs of child pipelines below a run, at any depth, with what each was opened with if its id is known. */
export async function childrenOf({ runs, ledger }: RunRecords, run: string): Promise<(ListedRun & { record: RunRecord })[]> {
  const below = await runs.list(`${run}.`);
  const records = await Promise.all(
    below.map(async (child) => {
      const { workflowId } = child;
      const record = workflowId === undefined ? undefined : await ledger.get({ workflowId, run: child.run }, RUN_RECORD);
      return record === undefined ? [] : [{ ...child, record: readRunRecord(record) }];
    }),
  );
  // Somebody may have given a run of its own such a name.
  return records.flat().filter(({ record }) => record.parent !== undefined);
}

/** The run that a workflow id names; the newest if several had the id one after the other. Undefined if there is none. */
export async function newestRun({ runs, ledger }: RunRecords, workflowId: string): Promise<RunKey | undefined> {
  const found = await Promise.all(
    (await runs.runsOf(workflowId)).map(async (key) => {
      const record = await ledger.get(key, RUN_RECORD);
      return { key, startedAt: record === undefined ? '' : readRunRecord(record).startedAt };
    }),
  );
  return found.sort((a, b) => b.startedAt.localeCompare(a.startedAt))[0]?.key;
}

/** The newest run of a pipeline, by its workflow id. */
export async function newestOfPipeline(ledger: RecordReader, runs: readonly ListedRun[], pipeline: string): Promise<string | undefined> {
  const ofPipeline = (await openedRuns(ledger, runs)).find(({ record }) => record.plan.name === `${pipeline}.plan.json`);
  return ofPipeline?.workflowId;
}

/** Runs that were opened, newest first. Those of child pipelines belong to their parents. */
export async function openedRuns(ledger: RecordReader, runs: readonly ListedRun[]): Promise<{ workflowId: string; record: RunRecord }[]> {
  const opened = await Promise.all(
    runs.map(async ({ workflowId, run }) => {
      const record = workflowId === undefined ? undefined : await ledger.get({ workflowId, run }, RUN_RECORD);
      return workflowId === undefined || record === undefined ? [] : [{ workflowId, record: readRunRecord(record) }];
    }),
  );
  const tops = opened.flat().filter(({ record }) => record.parent === undefined);
  return tops.sort((a, b) => b.record.startedAt.localeCompare(a.record.startedAt));
}
