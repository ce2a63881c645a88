import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { field, type Json } from '../../plan/json';
import { readAccountEntry } from '../accounts/account-log';
import { namesIn } from '../directory/durable-file';
import { fileName } from '../directory/file-name';
import { wholeLines } from '../directory/log-lines';
import type { RunKey } from '../ledger';

/**
 * The ids of every call of an agent in a run that the ledger knows of: those that asked for anything, and those that failed. Read from
 * what is in the logs and not from their names, which are shortened where they are long.
 */
export async function callIds(stateDir: string, key: RunKey): Promise<string[]> {
  const folder = join(stateDir, 'ledger', fileName(key.workflowId), fileName(key.run));
  const ids = new Set<string>();
  for (const name of await namesIn(folder)) {
    if (!LOGS.test(name)) continue;
    for (const line of wholeLines(await readFile(join(folder, name), 'utf8'))) {
      const id = requestOf(line, key) ?? readAccountEntry(line)?.call;
      if (id !== undefined) ids.add(id);
    }
  }
  return [...ids].sort();
}

/** `…/requests` and `…/account`, and whatever has a shortened name. */
const LOGS = /(?:%2F(?:requests|account)|%h[0-9a-f]{64})\.jsonl$/;

/** Of `workflowId/run/id/ask`. */
function requestOf(line: Json, { workflowId, run }: RunKey): string | undefined {
  const key = field(line, 'idempotencyKey');
  const start = `${workflowId}/${run}/`;
  return typeof key === 'string' && key.startsWith(start) ? key.slice(start.length, key.lastIndexOf('/')) : undefined;
}
