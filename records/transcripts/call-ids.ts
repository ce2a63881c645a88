import { field, type Json } from '../../plan/text/json';
import { ACCOUNT, readAccountEntry } from '../accounts/account-log';
import type { RunKey } from '../ledger';
import type { RunIndex } from '../run-index';
import { REQUESTS } from './transcript-log';

/**
 * The ids of every call of an agent in a run that the ledger knows: those that asked for anything, and those that failed. Read from the
 * logs' content and not from their names, which are shortened if they are long.
 */
export async function callIds(index: Pick<RunIndex, 'logs'>, key: RunKey): Promise<string[]> {
  const ids = new Set<string>();
  for await (const lines of index.logs(key, [REQUESTS, ACCOUNT])) {
    for (const line of lines) {
      const id = requestOf(line, key) ?? readAccountEntry(line)?.call;
      if (id !== undefined) ids.add(id);
    }
  }
  return [...ids].sort();
}

/** The request of `workflowId/run/id/ask`. */
function requestOf(line: Json, { workflowId, run }: RunKey): string | undefined {
  const key = field(line, 'idempotencyKey');
  const start = `${workflowId}/${run}/`;
  return typeof key === 'string' && key.startsWith(start) ? key.slice(start.length, key.lastIndexOf('/')) : undefined;
}
