import { type Dirent, promises as fs, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../plan/text/json';
import type { RunKey } from '../ledger';
import { validLines } from '../log-writer-claims';
import type { ListedRun, RunIndex } from '../run-index';
import { onDisk, readIfThere, unlessGone } from './durable-file';
import { fileName, textOfName } from './file-name';
import { ledgerPaths, mayEndIn } from './ledger-paths';
import { wholeLines } from './log-lines';

/** The runs of a ledger on a directory, by its folders. `place` is the run's folder. */
export class RunFolders implements RunIndex {
  private readonly paths: ReturnType<typeof ledgerPaths>;

  constructor(root: string) {
    this.paths = ledgerPaths(root);
  }

  async list(beginning = ''): Promise<ListedRun[]> {
    const { ledger, scratch } = this.paths;
    const prefix = beginning === '' ? '' : fileName(beginning);
    const names = (await this.foldersIn(ledger)).filter(
      (name) => join(ledger, name) !== scratch && !name.startsWith('.') && name.startsWith(prefix),
    );
    const found = await Promise.all(
      names.map(async (name) =>
        (await this.foldersIn(join(ledger, name))).map((run): ListedRun => {
          return { workflowId: textOfName(name), run: textOfName(run) ?? run, place: join(ledger, name, run) };
        }),
      ),
    );
    return found.flat();
  }

  async runsOf(workflowId: string): Promise<RunKey[]> {
    const names = await this.foldersIn(this.paths.runsOf(workflowId));
    return names.map((name) => ({ workflowId, run: textOfName(name) ?? name }));
  }

  async *logs(run: ListedRun | RunKey, endings: readonly string[], sinceMs = 0): AsyncGenerator<Json[]> {
    for (const path of await this.logsIn(run, endings)) {
      if (sinceMs > 0 && ((await this.stat(path))?.mtimeMs ?? 0) < sinceMs) continue;
      const text = await this.onDisk(() => readIfThere(path));
      if (text !== undefined) yield validLines(wholeLines(text.toString('utf8')));
    }
  }

  async extent(run: ListedRun | RunKey, endings: readonly string[]): Promise<number> {
    const sizes = (await this.logsIn(run, endings)).map(async (path) => (await this.stat(path))?.size ?? 0);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }

  private async logsIn(run: ListedRun | RunKey, endings: readonly string[]): Promise<string[]> {
    const folder = 'place' in run ? run.place : this.paths.runFolder(run);
    return (await this.entriesIn(folder)).flatMap(({ name }) => (mayEndIn(name, endings) ? [join(folder, name)] : []));
  }

  private async foldersIn(path: string): Promise<string[]> {
    return (await this.entriesIn(path)).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  }

  private async entriesIn(path: string): Promise<Dirent[]> {
    return (await this.onDisk(() => unlessGone(() => fs.readdir(path, { withFileTypes: true })))) ?? [];
  }

  private stat(path: string): Promise<Stats | undefined> {
    return this.onDisk(() => unlessGone(() => fs.stat(path)));
  }

  private onDisk<T>(work: () => Promise<T>): Promise<T> {
    return onDisk('the ledger', this.paths.ledger, work);
  }
}
