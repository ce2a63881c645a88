import { join } from 'node:path';
import type { RunKey } from '../ledger';
import { fileName, textOfName } from './file-name';
import { scratchOf, stateLayout } from './state-layout';

/** Names of the ledger's files: `<ledger>/<workflowId>/<run>/<name>.json` for records, `….jsonl` for logs. */
export function ledgerPaths(root: string) {
  const { ledger } = stateLayout(root);
  const runFolder = ({ workflowId, run }: RunKey): string => join(ledger, fileName(workflowId), fileName(run));
  return {
    ledger,
    scratch: scratchOf(ledger),
    /** The ends of runs, day by day. */
    ended: join(ledger, '.ended'),
    runsOf: (workflowId: string): string => join(ledger, fileName(workflowId)),
    runFolder,
    record: (run: RunKey, name: string): string => join(runFolder(run), `${fileName(name)}.json`),
    log: (run: RunKey, name: string): string => join(runFolder(run), `${fileName(name)}${LOG}`),
  };
}

const LOG = '.jsonl';

/** Whether a file is a log whose name has this ending, or may be: the end of a shortened name is not known. */
export function mayEndIn(file: string, endings: readonly string[]): boolean {
  if (!file.endsWith(LOG)) return false;
  const name = textOfName(file.slice(0, -LOG.length));
  return name === undefined || endings.some((ending) => name.endsWith(ending));
}
