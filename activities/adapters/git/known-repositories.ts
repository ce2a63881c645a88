import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from '../../git-model';
import { orAbsent } from './absent';

/**
 * Git's answers about a folder, remembered as long as everything they depend on is unchanged: a few file checks instead of a process.
 *
 * Invariant: only a checkout with its `.git` folder and a bare repository are remembered; git finds each time what is within a repository,
 * or names one elsewhere. Includes of a configuration affect none of it.
 */
export interface KnownRepositories {
  /** @param ask git's own answer */
  of(folder: string, ask: () => Promise<Repository>): Promise<Repository>;
}

const MOST = 200;

export function knownRepositories(): KnownRepositories {
  const known = new Map<string, { mark: string; repository: Repository }>();
  return {
    async of(folder, ask) {
      const mark = await markOf(folder);
      const found = known.get(folder);
      if (mark !== undefined && found?.mark === mark) return found.repository;
      const repository = await ask();
      known.delete(folder);
      if (mark !== undefined) known.set(folder, { mark, repository });
      for (const oldest of [...known.keys()].slice(0, -MOST)) known.delete(oldest);
      return repository;
    },
  };
}

/** A mark that is the same as long as git would answer the same; undefined if that is not known. */
async function markOf(folder: string): Promise<string | undefined> {
  const own = join(folder, '.git');
  const gitDir = (await orAbsent(stat(own))) ? own : folder;
  const at = (name: string): string => join(gitDir, name);
  const [real, head, places, parts, texts] = await Promise.all([
    orAbsent(realpath(gitDir)),
    orAbsent(readFile(at('HEAD'), 'latin1')),
    Promise.all([folder, gitDir].map(identityOf)),
    Promise.all(['objects', 'refs', 'shallow', 'commondir'].map(async (name) => (await orAbsent(stat(at(name)))) !== undefined)),
    Promise.all(['config', 'config.worktree'].map((name) => orAbsent(readFile(at(name), 'latin1')))),
  ]);
  const [objects, refs, , elsewhere] = parts;
  const isRepository = /^(ref: refs\/|[0-9a-f]{40})/.test(head ?? '') && objects && refs && !elsewhere;
  return isRepository ? JSON.stringify([real, places, parts, texts]) : undefined;
}

async function identityOf(path: string): Promise<string> {
  const found = await orAbsent(stat(path));
  return found ? `${found.dev}:${found.ino}:${found.uid}` : '';
}
