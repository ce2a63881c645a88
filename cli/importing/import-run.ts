import type { ThermidorClient } from '../../client/connect';
import { describeOnServer } from '../../client/find-run';
import type { ExportedFile, ExportManifest } from '../../records/exports/export-manifest';
import { MANIFEST } from '../../records/exports/export-manifest';
import { damaged, ExportProblem } from '../../records/exports/export-problem';
import { filesOf } from '../../records/exports/exported-run';
import { openExport, type ReadableExport } from '../../records/exports/read-export';
import { parseLine } from '../../records/logs/line-text';
import type { Records } from '../../records/records';
import { readEndedRun } from '../../records/runs/ended-run';
import { importedKey } from '../../records/runs/imported-run';
import type { KeyRing } from '../../records/sealing/key-ring';
import { sealedPart } from '../../records/transfer/sealed-part';
import type { StoreTransfer } from '../../records/transfer/store-transfer';
import { checkAccounts, checkJournal, checkPlan, checkRun, isName, linesOf } from './check-run';
import { importedParts } from './imported-parts';

export interface ImportTarget {
  client: ThermidorClient;
  records: Records;
  store: StoreTransfer;
  keys: KeyRing;
}

export interface Imported {
  manifest: ExportManifest;
  /** False: this very export had been imported before. */
  isNew: boolean;
}

/**
 * Stores an exported run and its children as runs that have ended.
 *
 * Invariants: 1. all of the export is checked before anything is stored; 2. records are created under a key that no run of a server has
 * (`importedKey`), and replace nothing; nothing is stored that a run obeys; 3. an import that was killed shows no run, and is finished by
 * the next. Fails with `import.…`, `store.unavailable`, and as every question to the server.
 */
export async function importRun(folder: string, target: ImportTarget, at: Date): Promise<Imported> {
  const exported = await openExport(folder);
  const runs = await checkExport(exported);
  const { manifest, sha256 } = exported;
  const isThere = (await readEndedRun(target.records.ledger, importedKey(manifest.run, sha256))) !== undefined;
  await requireFree(runs, sha256, target, isThere);
  if (isThere) return { manifest, isNew: false };
  for await (const part of importedParts(exported, runs, at)) await target.store.add(sealedPart(part, target.keys));
  await target.store.settle();
  return { manifest, isNew: true };
}

/** Reads all files, one after the other. @returns the ids of the runs, the exported one last */
async function checkExport({ manifest, read }: ReadableExport): Promise<string[]> {
  const { files, run: top, pipeline, state } = manifest;
  const runs = [...new Set(files.flatMap(({ holds }) => ('run' in holds ? [holds.run] : [])))];
  if (!isName(top) || !runs.includes(top)) throw damaged(MANIFEST, 'it has no files of its run');
  const parents = new Map<string, string>();
  for (const run of runs) {
    const { document } = filesOf(manifest, run);
    const file = document('run');
    if (!isName(run) || !file || !document('journal'))
      throw damaged(MANIFEST, `the run ${JSON.stringify(run)} has no run.json or no journal`);
    const { view, parent } = checkRun(file.path, await read(file), run);
    if (run === top && (view.pipeline !== pipeline || view.state !== state)) throw damaged(file.path, 'is not the run of the manifest');
    if (run !== top && !(parent && run.startsWith(`${top}.`) && runs.includes(parent.run))) {
      throw damaged(file.path, `is no child of ${top}`);
    }
    if (parent) parents.set(run, parent.run);
  }
  for (const file of files) if (file.holds.kind !== 'run') await checkFile(file, await read(file));
  return [...runs.filter((run) => run !== top), top];
}

async function checkFile({ path, holds }: ExportedFile, bytes: Buffer): Promise<void> {
  switch (holds.kind) {
    case 'journal':
      checkJournal(path, bytes);
      return;
    case 'plan':
      checkPlan(path, bytes);
      return;
    case 'accounts':
      checkAccounts(path, bytes, holds.run);
      return;
    case 'transcript':
      if (!isName(holds.call)) throw damaged(path, 'is of a call that cannot be');
      linesOf(path, bytes);
      return;
    case 'log':
      if (!isName(holds.call)) throw damaged(path, 'is of a call that cannot be');
      checkLog(path, bytes);
      return;
    default:
      return;
  }
}

function checkLog(path: string, bytes: Buffer): void {
  const lines = bytes.toString('utf8').split('\n');
  const last = lines.pop();
  const at = last === '' ? lines.findIndex((line) => parseLine(line) === undefined) : lines.length;
  if (at !== -1) throw damaged(`${path}:${at + 1}`, 'is no line of a log');
}

async function requireFree(runs: readonly string[], sha256: string, { client, records }: ImportTarget, isThere: boolean): Promise<void> {
  for (const run of runs) {
    const own = importedKey(run, sha256).run;
    const others = (await records.runs.runsOf(run)).filter((key) => key.run !== own);
    if (others.length === 0 && (isThere || (await describeOnServer(client, run)) === undefined)) continue;
    throw new ExportProblem('import.run-exists', `there is already a run "${run}"`, `look at it with: thermidor status ${run}`);
  }
}
