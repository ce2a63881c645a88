import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../plan/error-code';
import type { Json } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import type { RunKey } from '../ledger';
import { type Amount, NOTHING, plus } from '../old-content';
import {
  addAmounts,
  type EndedBefore,
  type LedgerEntry,
  noAmounts,
  type RunAmounts,
  type RunRetention,
  TAKEN_OVER,
} from '../run-retention';
import { ENDED_LOG } from '../runs/ended-run';
import { RUN_RECORD } from '../runs/run-record';
import { gateLinkIn } from '../stored-gate-link';
import { ArtifactFiles } from './artifact-files';
import { makeFolder, namesIn, onDisk, readIfThere, unlessGone } from './durable-file';
import { EndedFiles, keyText } from './ended-files';
import { fileName } from './file-name';
import { ledgerPaths } from './ledger-paths';
import { wholeLines } from './log-lines';
import { wholeText } from './long-names';
import { NamedFiles } from './named-files';
import { scratchOf, stateLayout } from './state-layout';
import { dateOf, storeNow } from './store-clock';

const PAGE = 500;

/** Folders that were taken away, and are being deleted. No text has such a file name. */
const REMOVED = '.removed';

/**
 * Removal of runs from a state folder. The ledger of a run goes last, by one rename, so that a run that a killed process has begun to
 * remove
 * is found again.
 */
export class RunRetentionFiles implements RunRetention {
  private readonly layout: ReturnType<typeof stateLayout>;
  private readonly paths: ReturnType<typeof ledgerPaths>;
  private readonly outputs: NamedFiles;
  private readonly ended: EndedFiles;

  constructor(root: string) {
    this.layout = stateLayout(root);
    this.paths = ledgerPaths(root);
    this.outputs = new NamedFiles(root, new ArtifactFiles(root));
    this.ended = new EndedFiles(root);
  }

  nowMs(): Promise<number> {
    return this.onDisk(async () => {
      await makeFolder(this.paths.scratch);
      return await storeNow(this.paths.scratch);
    });
  }

  async *endedBefore(beforeMs: number): AsyncGenerator<EndedBefore[]> {
    for await (const page of this.runs()) {
      const found: EndedBefore[] = [];
      for (const run of page) {
        if (!(await this.isOlder(run, beforeMs))) continue;
        found.push({ ...run, hasLogs: (await this.onDisk(() => namesIn(this.logsOf(run)))).length > 0 });
      }
      if (found.length > 0) yield found;
    }
  }

  isOlder(run: RunKey, beforeMs: number): Promise<boolean> {
    return this.onDisk(async () => {
      const [ended, taken] = await Promise.all([ENDED_LOG, TAKEN_OVER].map((log) => dateOf(this.paths.log(run, log))));
      return ended !== undefined && ended < beforeMs && (taken ?? 0) < beforeMs;
    });
  }

  async *runs(): AsyncGenerator<(RunKey & { beganMs: number })[]> {
    let page: (RunKey & { beganMs: number })[] = [];
    for (const workflow of await this.foldersIn(this.paths.ledger)) {
      const workflowId = await this.onDisk(() => wholeText(this.paths.ledger, workflow));
      for (const name of await this.foldersIn(join(this.paths.ledger, workflow))) {
        const run = { workflowId, run: await this.onDisk(() => wholeText(this.paths.ledger, name)) };
        page.push({ ...run, beganMs: (await this.onDisk(() => dateOf(this.paths.record(run, RUN_RECORD)))) ?? 0 });
      }
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  async *entries(run: RunKey): AsyncGenerator<LedgerEntry> {
    const folder = this.paths.runFolder(run);
    for (const file of await this.onDisk(() => namesIn(folder))) {
      const [, stem = '', ending] = /^(.*)\.(json|jsonl)$/.exec(file) ?? [];
      const text = ending && (await this.onDisk(() => readIfThere(join(folder, file))))?.toString('utf8');
      if (!text) continue;
      const record = jsonIn(text);
      const values: Json[] = ending === 'jsonl' ? wholeLines(text) : record === undefined ? [] : [record];
      yield { name: await this.onDisk(() => wholeText(this.paths.ledger, stem)), kind: ending === 'jsonl' ? 'log' : 'record', values };
    }
  }

  async remove(runs: readonly RunKey[], beforeMs: number, dryRun: boolean): Promise<RunAmounts> {
    const removed = noAmounts();
    const links = await this.linksBy(runs);
    for (const run of runs) {
      if (!(await this.isOlder(run, beforeMs))) continue;
      const ofId = this.paths.runsOf(run.workflowId);
      if ((await this.foldersIn(ofId)).length <= 1)
        addAmounts(removed, await this.removeOfId(run.workflowId, links.get(run.workflowId) ?? [], beforeMs, dryRun));
      removed.logs = plus(removed.logs, await this.removeLogs([run], dryRun));
      removed.runs = plus(removed.runs, { count: 1, bytes: await this.take(this.paths.ledger, this.paths.runFolder(run), dryRun) });
      await this.unlessUsed(ofId);
    }
    return removed;
  }

  async removeLogs(runs: readonly RunKey[], dryRun: boolean): Promise<Amount> {
    let removed = NOTHING;
    for (const run of runs) {
      const logs = await this.onDisk(() => namesIn(this.logsOf(run)));
      if (logs.length === 0) continue;
      const count = logs.filter((name) => name.endsWith('.log')).length;
      removed = plus(removed, { count, bytes: await this.take(this.layout.stepLogs, this.logsOf(run), dryRun) });
      await this.unlessUsed(join(this.layout.stepLogs, fileName(run.workflowId)));
    }
    return removed;
  }

  async finish(beforeMs: number): Promise<void> {
    for (const store of [this.paths.ledger, this.layout.stepLogs, this.layout.outputs]) await this.deleteFolder(join(store, REMOVED));
    const kept = new Set<string>();
    for await (const page of this.runs()) for (const run of page) kept.add(keyText(run));
    await this.ended.forgetOthers(new Date(beforeMs).toISOString(), kept);
  }

  async amounts(): Promise<RunAmounts> {
    const { ledger, stepLogs, environments, gateLinks, outputs } = this.layout;
    const count = async (folder: string): Promise<Amount> => {
      const names = await this.onDisk(() => namesIn(folder));
      return { count: names.filter((name) => name.endsWith('.json')).length, bytes: await this.sizeOf(folder) };
    };
    let runs = 0;
    for await (const page of this.runs()) runs += page.length;
    return {
      runs: { count: runs, bytes: await this.sizeOf(ledger) },
      logs: { count: (await this.foldersIn(stepLogs)).length, bytes: await this.sizeOf(stepLogs) },
      environments: await count(environments),
      links: await count(gateLinks),
      // Their bytes are those of the content that they name.
      outputs: { count: (await this.foldersIn(outputs)).length, bytes: 0 },
    };
  }

  private async removeOfId(workflowId: string, links: readonly string[], beforeMs: number, dryRun: boolean): Promise<RunAmounts> {
    const removed = noAmounts();
    const old = async (path: string): Promise<Amount> => {
      const file = await this.onDisk(() => unlessGone(() => stat(path)));
      if (!file || file.mtimeMs >= beforeMs) return NOTHING;
      if (!dryRun) await this.onDisk(() => rm(path, { force: true }));
      return { count: 1, bytes: file.size };
    };
    removed.environments = await old(join(this.layout.environments, `${fileName(workflowId)}.json`));
    for (const path of links) removed.links = plus(removed.links, await old(path));
    const outputs = this.outputs.folderOf(workflowId);
    if ((await this.onDisk(() => dateOf(outputs))) === undefined) return removed;
    await this.take(this.layout.outputs, outputs, dryRun);
    removed.outputs = { count: 1, bytes: 0 };
    return removed;
  }

  /** The files of links by the workflow ids of these runs. */
  private async linksBy(runs: readonly RunKey[]): Promise<Map<string, string[]>> {
    const ids = new Set(runs.map(({ workflowId }) => workflowId));
    const links = new Map<string, string[]>();
    const folder = this.layout.gateLinks;
    for (const name of ids.size === 0 ? [] : await this.onDisk(() => namesIn(folder))) {
      const path = join(folder, name);
      const text = name.endsWith('.json') ? await this.onDisk(() => readIfThere(path)) : undefined;
      const run = text && gateLinkIn(text.toString('utf8'))?.run;
      if (run !== undefined && ids.has(run)) links.set(run, [...(links.get(run) ?? []), path]);
    }
    return links;
  }

  /** Takes a folder away, deletes it, and returns how much it had. */
  private async take(store: string, folder: string, dryRun: boolean): Promise<number> {
    const bytes = await this.sizeOf(folder);
    if (dryRun) return bytes;
    await this.onDisk(async () => {
      const taken = join(store, REMOVED, randomUUID());
      await makeFolder(join(store, REMOVED));
      await unlessGone(() => rename(folder, taken));
      await this.deleteFolder(taken);
    });
    return bytes;
  }

  /** Another process may be deleting it, too. */
  private async deleteFolder(folder: string): Promise<void> {
    await this.onDisk(() =>
      rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOTEMPTY') throw error;
      }),
    );
  }

  /** Deletes a folder that is empty. */
  private async unlessUsed(folder: string): Promise<void> {
    await this.onDisk(() =>
      unlessGone(() => rmdir(folder)).catch((error: unknown) => {
        if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
      }),
    );
  }

  private async sizeOf(folder: string): Promise<number> {
    let bytes = 0;
    for (const entry of (await this.onDisk(() => unlessGone(() => readdir(folder, { withFileTypes: true })))) ?? []) {
      const path = join(folder, entry.name);
      bytes += entry.isDirectory() ? await this.sizeOf(path) : ((await this.onDisk(() => unlessGone(() => stat(path))))?.size ?? 0);
    }
    return bytes;
  }

  private logsOf({ workflowId, run }: RunKey): string {
    return join(this.layout.stepLogs, fileName(workflowId), fileName(run));
  }

  private async foldersIn(folder: string): Promise<string[]> {
    const entries = (await this.onDisk(() => unlessGone(() => readdir(folder, { withFileTypes: true })))) ?? [];
    const isStore = (name: string): boolean => !name.startsWith('.') && join(folder, name) !== scratchOf(folder);
    return entries.flatMap((entry) => (entry.isDirectory() && isStore(entry.name) ? [entry.name] : [])).sort();
  }

  private onDisk<T>(work: () => Promise<T>): Promise<T> {
    return onDisk('the state folder', this.paths.ledger, work);
  }
}
