import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { defined } from '../../plan/defined';
import { parseUntrustedJson } from '../../plan/text/untrusted-json';
import { namesIn, readIfThere, replaceFile } from '../../records/directory/durable-file';
import { digest, readable } from './names';
import { WORKTREE_RECORD } from './worktree-record';
import { worktreesLayout } from './worktrees-layout';

/** Records that a run has refs in a repository, which outlive its worktrees on this host. */
const REF_NOTE = WORKTREE_RECORD.pick({
  ...{ version: true, host: true, storeId: true, namespace: true },
  ...{ workflowId: true, run: true, repository: true, checkout: true, remote: true },
}).extend({
  /** When the run had ended, for all that is known. ISO 8601. */
  endedAt: z.string().exactOptional(),
});

export type RefNote = z.infer<typeof REF_NOTE>;

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
  return content && REF_NOTE.safeParse(parseUntrustedJson(content.toString('utf8'))).data;
}
