import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ThermidorFailure } from '../../plan/run/failure';
import { isJsonObject } from '../../plan/text/json';
import { parseUntrustedJson } from '../../plan/text/untrusted-json';
import { namesIn, onDisk, readIfThere, replaceFile, syncPath, unlessGone } from '../../records/directory/durable-file';
import { worktreeName } from './names';
import { refNotes } from './ref-notes';
import { WORKTREE_RECORD, type WorktreeRecord } from './worktree-record';
import { worktreesLayout } from './worktrees-layout';

/** The worktree of a record: ids of runs are unique over all servers. */
export type WorktreeId = Pick<WorktreeRecord, 'run' | 'slot' | 'epoch'>;

/**
 * The known content of a host's folder of worktrees. Invariants: 1. a record is complete, or missing; 2. it survives a crash of the machine
 * from when `write` returns; 3. an unreadable one is neither ignored nor removed. All fail with `store.unavailable`.
 */
export interface WorktreeRecords {
  /** Replaces an existing record. First notes that the run has refs in the repository. */
  write(record: WorktreeRecord): Promise<void>;
  read(id: WorktreeId): Promise<WorktreeRecord | undefined>;
  /** The oldest first. */
  list(): Promise<ListedRecords>;
  /** A missing record is no failure. */
  remove(id: WorktreeId): Promise<void>;
}

export interface ListedRecords {
  records: WorktreeRecord[];
  unreadable: UnreadableRecord[];
}

export interface UnreadableRecord {
  path: string;
  reason: string;
}

export function worktreeRecords(root: string): WorktreeRecords {
  const { records: folder, scratch } = worktreesLayout(root);
  const notes = refNotes(root);
  const pathOf = (id: WorktreeId): string => join(folder, nameOf(id));
  const write = async (record: WorktreeRecord): Promise<void> => {
    await notes.note(record);
    await replaceFile({ path: pathOf(record), scratch }, `${JSON.stringify(record)}\n`);
  };
  return {
    write: (record) => onDisk(WHAT, folder, () => write(record)),
    read: (id) => onDisk(WHAT, folder, () => readRecord(pathOf(id))),
    list: () => onDisk(WHAT, folder, () => listRecords(folder)),
    remove: (id) => onDisk(WHAT, folder, () => removeRecord(folder, pathOf(id))),
  };
}

const WHAT = 'the records of worktrees';
const ENDING = '.json';

/** The name, equal to that of its worktree's folder. */
function nameOf(id: WorktreeId): string {
  return `${worktreeName(id)}${ENDING}`;
}

async function readRecord(path: string): Promise<WorktreeRecord | undefined> {
  const content = await readIfThere(path);
  if (content === undefined) return undefined;
  const read = parseRecord(content.toString('utf8'));
  if (typeof read !== 'string') return read;
  throw new ThermidorFailure('store.unavailable', `the record of a worktree ${path} cannot be used: ${read}`, { path });
}

async function listRecords(folder: string): Promise<ListedRecords> {
  const found: ListedRecords = { records: [], unreadable: [] };
  for (const name of (await namesIn(folder)).filter((name) => name.endsWith(ENDING)).sort()) {
    const path = join(folder, name);
    const content = await readIfThere(path);
    // Closed meanwhile.
    if (content === undefined) continue;
    const read = parseRecord(content.toString('utf8'));
    if (typeof read === 'string') found.unreadable.push({ path, reason: read });
    else if (nameOf(read) !== name) found.unreadable.push({ path, reason: 'it is the record of another worktree' });
    else found.records.push(read);
  }
  found.records.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  return found;
}

async function removeRecord(folder: string, path: string): Promise<void> {
  await rm(path, { force: true });
  await unlessGone(() => syncPath(folder));
}

/** The record, or why it is invalid. */
function parseRecord(text: string): WorktreeRecord | string {
  const read = parseUntrustedJson(text);
  if (!isJsonObject(read)) return 'it is not JSON';
  if (read['version'] !== 1) return 'another version of Thermidor wrote it';
  const { data, error } = WORKTREE_RECORD.safeParse(read);
  if (data) return data;
  const lacks = error.issues.flatMap(({ code, path }) => (code === 'custom' ? [] : [path.join('.')]));
  return lacks.length > 0 ? `it lacks ${lacks.join(', ')}` : 'its `createdAt` is not a date';
}
