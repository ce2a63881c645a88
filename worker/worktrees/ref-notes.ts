import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { defined } from '../../plan/defined';
import { isJsonObject } from '../../plan/text/json';
import { namesIn, readIfThere, replaceFile } from '../../records/directory/durable-file';
import { digest, readable } from './names';
import type { WorktreeRecord } from './worktree-record';
import { worktreesLayout } from './worktrees-layout';

const TEXTS = ['host', 'storeId', 'namespace', 'workflowId', 'run', 'repository', 'checkout'] as const;

/** Records that a run has refs in a repository, which outlive its worktrees on this host. */
export interface RefNote extends Pick<WorktreeRecord, (typeof TEXTS)[number] | 'remote'> {
  version: 1;
  /** When the run had ended, for all that is known. ISO 8601. */
  endedAt?: string;
}

export interface RefNotes {
  /** Leaves an existing note unchanged. */
  note(about: Omit<RefNote, 'version' | 'endedAt'>): Promise<void>;
  list(): Promise<RefNote[]>;
  write(note: RefNote): Promise<void>;
  remove(note: RefNote): Promise<void>;
}

export function refNotes(root: string): RefNotes {
  const { refNotes: folder, scratch } = worktreesLayout(root);
  const pathOf = ({ host, run, repository }: Pick<RefNote, 'host' | 'run' | 'repository'>): string =>
    join(folder, `${readable(basename(repository))}-${digest(run, host, repository)}.json`);
  const write = async (note: RefNote): Promise<void> => {
    await replaceFile({ path: pathOf(note), scratch }, `${JSON.stringify(note)}\n`);
  };
  return {
    async note(record) {
      if (parse(await readIfThere(pathOf(record))) !== undefined) return;
      const { host, storeId, namespace, workflowId, run, repository, checkout, remote } = record;
      await write({ version: 1, host, storeId, namespace, workflowId, run, repository, checkout, ...defined({ remote }) });
    },
    async list() {
      const read = await Promise.all((await namesIn(folder)).sort().map((name) => readIfThere(join(folder, name))));
      return read.map(parse).filter((note) => note !== undefined);
    },
    write,
    remove: (note) => rm(pathOf(note), { force: true }),
  };
}

/** An unreadable note counts as none: its refs are kept. */
function parse(content: Buffer | undefined): RefNote | undefined {
  const read = content && parseJson(content.toString('utf8'));
  return isRefNote(read) ? read : undefined;
}

function isRefNote(read: unknown): read is RefNote {
  if (!isJsonObject(read) || read['version'] !== 1) return false;
  return TEXTS.every((key) => typeof read[key] === 'string') && isRemoteOrNone(read['remote']) && isTextOrNone(read['endedAt']);
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isRemoteOrNone(value: unknown): boolean {
  return value === undefined || (isJsonObject(value) && typeof value['name'] === 'string' && typeof value['checkout'] === 'string');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
