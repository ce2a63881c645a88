import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { jsonText, parseJson } from '../../plan/text/json-text';
import type { ClaimedLog, FollowedLog, Ledger, RecordLog, RunKey } from '../ledger';
import { validLines } from '../log-writer-claims';
import { claimLogFile } from './claimed-log-file';
import { createFile, makeFolder, onDisk, readIfThere } from './durable-file';
import { checkFolderIdentity, markFolder } from './folder-identity';
import { followLogFile } from './followed-log-file';
import { ledgerPaths } from './ledger-paths';
import { appendLines, noteLines } from './log-file';
import { wholeLines } from './log-lines';
import { keepLongNames } from './long-names';
import { openRecordLog } from './record-log-file';

/**
 * The ledger in a directory: `<root>/ledger/<workflowId>/<run>/<name>.json` for records, `….jsonl` for logs. Any number of processes may
 * use it at once.
 *
 * Invariants: 1. a record is created by link(), which never replaces, so the first one stays; 2. a record is complete or missing; 3. a
 * line, or several added at once, is one write on a file opened for appending, so lines of two processes never mix; 4. a line torn by a
 * crash is never read as a line, neither before nor after the next append; 5. a ledger that was deleted under this process is not mistaken
 * for an empty one (folder-identity.ts). Retried by Temporal: `store.unavailable`.
 */
export class LedgerFiles implements Ledger {
  private readonly paths: ReturnType<typeof ledgerPaths>;
  private readonly folder: string;

  constructor(root: string) {
    this.paths = ledgerPaths(root);
    this.folder = this.paths.ledger;
  }

  async get(run: RunKey, name: string): Promise<Json | undefined> {
    const path = this.paths.record(run, name);
    const text = await this.onDisk(() => this.ifThere(path));
    return text === undefined ? undefined : readRecord(path, text.toString('utf8'));
  }

  async putIfAbsent(run: RunKey, name: string, value: Json): Promise<Json> {
    const path = this.paths.record(run, name);
    const created = await this.onDisk(async () => {
      await this.begin(run, name);
      return createFile({ path, scratch: this.paths.scratch }, jsonText(value));
    });
    if (created) return value;
    return (await this.get(run, name)) ?? value;
  }

  async append(run: RunKey, log: string, ...lines: readonly Json[]): Promise<void> {
    const path = this.paths.log(run, log);
    await this.onDisk(async () => {
      await this.begin(run, log);
      await appendLines(path, lines);
    });
  }

  async note(run: RunKey, log: string, line: Json): Promise<void> {
    const path = this.paths.log(run, log);
    await this.onDisk(async () => {
      await this.begin(run, log);
      await noteLines(path, [line]);
    });
  }

  async claim(run: RunKey, log: string, scheduledAtMs?: number): Promise<ClaimedLog> {
    const path = this.paths.log(run, log);
    const guard = <T>(work: () => Promise<T>): Promise<T> =>
      this.onDisk(async () => {
        await this.begin(run, log);
        return await work();
      });
    return await guard(() => claimLogFile(path, log, guard, scheduledAtMs));
  }

  async lines(run: RunKey, log: string): Promise<Json[]> {
    const path = this.paths.log(run, log);
    const text = await this.onDisk(() => this.ifThere(path));
    return text === undefined ? [] : validLines(wholeLines(text.toString('utf8')));
  }

  follow(run: RunKey, log: string): FollowedLog {
    return followLogFile(this.paths.log(run, log), (look) =>
      this.onDisk(async () => {
        const found = await look();
        checkFolderIdentity(this.folder);
        return found;
      }),
    );
  }

  async recordLog(run: RunKey, log: string): Promise<RecordLog> {
    const path = this.paths.log(run, log);
    return await this.onDisk(async () => {
      await this.begin(run, log);
      await makeFolder(this.paths.runFolder(run));
      return openRecordLog(path, (work) =>
        this.onDisk(async () => {
          // An open file accepts writes even after nobody can find it any more.
          checkFolderIdentity(this.folder);
          return work();
        }),
      );
    });
  }

  /** Before every write. */
  private async begin({ workflowId, run }: RunKey, name: string): Promise<void> {
    await markFolder(this.folder);
    await keepLongNames(this.folder, workflowId, run, name);
  }

  /** A missing file means that nothing was done only if the ledger is still the same one. */
  private async ifThere(path: string): Promise<Buffer | undefined> {
    const found = await readIfThere(path);
    checkFolderIdentity(this.folder);
    return found;
  }

  private onDisk<T>(work: () => Promise<T>): Promise<T> {
    return onDisk('the ledger', this.folder, work);
  }
}

function readRecord(path: string, text: string): Json {
  try {
    return parseJson(text);
  } catch {
    throw new ThermidorFailure(
      'store.unavailable',
      `the ledger's record ${path} is damaged; restore it, or move it away to repeat the step`,
    );
  }
}
