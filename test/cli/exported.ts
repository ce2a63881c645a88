import { WorkflowNotFoundError } from '@temporalio/client';
import { exportRun } from '../../cli/exporting/export-run';
import { endedRuns } from '../../cli/session/ended-runs';
import type { ThermidorClient } from '../../client/connect';
import type { Records } from '../../records/records';

/** A client whose server has forgotten every run: records in the store answer. */
export function forgetfulClient(records: Records): ThermidorClient {
  const forgets = (): never => {
    throw new WorkflowNotFoundError('gone', '', undefined);
  };
  const connection = {
    withDeadline: (_limit: number, work: () => unknown) => work(),
    withAbortSignal: (_signal: unknown, work: () => unknown) => work(),
  };
  const handle = { describe: async () => forgets(), query: async () => forgets(), result: async () => forgets() };
  const temporal = { workflow: { getHandle: () => handle, list: async function* () {} } };
  const ended = endedRuns(records, () => undefined);
  return { temporal, connection, ended, taskQueue: 'q', call: (request: () => unknown) => request() } as unknown as ThermidorClient;
}

/** Exports a run that has ended. @returns what was warned of */
export async function exported(records: Records, run: string, folder: string, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const warnings: string[] = [];
  const order = { run, folder, unmasked: false, at: new Date('2026-11-30T12:00:00.000Z'), warn: (line: string) => warnings.push(line) };
  await exportRun({ client: forgetfulClient(records), records, env }, order);
  return warnings;
}
