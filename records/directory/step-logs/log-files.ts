import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { STATE_FOLDER_MODE } from '../../../plan/run/state-file-modes';
import type { RunKey } from '../../ledger';
import type { LogEntry, LogOptions, LogWriter, StepLogs } from '../../step-logs';
import { namesIn, onDisk } from '../durable-file';
import { fileName, textOfName } from '../file-name';
import { keepLongNames } from '../long-names';
import { stateLayout } from '../state-layout';
import { readLog } from './log-reader';
import { logWriter } from './log-writer';

const ENDING = '.log';

/**
 * Logs of steps in a directory: `<root>/logs/runs/<workflowId>/<run>/<call>.log`, with up to two files for its end (segments.ts). Only
 * their owner may read them.
 */
export class LogFiles implements StepLogs {
  private readonly folder: string;

  constructor(root: string) {
    this.folder = stateLayout(root).stepLogs;
  }

  open(run: RunKey, name: string, options: LogOptions): LogWriter {
    const makeFolder = () =>
      keepLongNames(this.folder, run.workflowId, run.run, name).then(async () => {
        await mkdir(this.folderOf(run), { recursive: true, mode: STATE_FOLDER_MODE });
      });
    return logWriter({ ...options, name, path: this.pathOf(run, name), makeFolder });
  }

  /** The log's first line has a name that is too long for a file. */
  async list(run: RunKey): Promise<string[]> {
    const folder = this.folderOf(run);
    const names = await onDisk('the folder of logs', folder, () => namesIn(folder));
    const logs = names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length));
    return await Promise.all(logs.map(async (name) => textOfName(name) ?? (await firstWord(join(folder, `${name}${ENDING}`))) ?? name));
  }

  async *read(run: RunKey, name: string, from?: number): AsyncGenerator<LogEntry> {
    yield* readLog(this.pathOf(run, name), from);
  }

  async locate(run: RunKey, name: string): Promise<string | undefined> {
    const path = this.pathOf(run, name);
    return await access(path).then(
      () => path,
      () => undefined,
    );
  }

  private folderOf({ workflowId, run }: RunKey): string {
    return join(this.folder, fileName(workflowId), fileName(run));
  }

  private pathOf(run: RunKey, name: string): string {
    return join(this.folderOf(run), `${fileName(name)}${ENDING}`);
  }
}

async function firstWord(path: string): Promise<string | undefined> {
  for await (const entry of readLog(path)) return entry.kind === 'line' ? entry.text.replace(/^log of /, '') : undefined;
  return undefined;
}
