import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../../plan/defined';
import type { RepositoryProblem } from '../../../plan/run/repository-problem';
import type { ExaminedBase, FoundProblem, GitPath, ObjectId, Repository, WorktreeStatus } from '../../git-model';
import { orAbsent } from './absent';
import { problemOf, withHint } from './failures';
import type { GitTools } from './git-tools';
import { nulParts } from './listings';
import { listLocks } from './locks';
import { unlessNothing } from './questions';
import { resolveRevision } from './repository';
import { readStatus } from './status';

/** Examines a base, and reports everything that prevents work from it at once and before anything begins. */
export async function examineBase(
  tools: GitTools,
  repository: Repository,
  base: string | undefined,
  signal: AbortSignal,
): Promise<ExaminedBase> {
  const { identity } = repository;
  const { head, branch, changes } = await headOf(tools, repository, base, signal);
  const problems: FoundProblem[] = [];
  const add = (problem: RepositoryProblem, message: string, paths?: GitPath[]) => {
    problems.push({ problem, message: withHint(problem, message), ...defined({ paths }) });
  };
  if (repository.shallow) add('shallow', `${identity} is a shallow clone: commits that a merge needs may be missing`);
  for (const { path, owner } of await listLocks(repository)) {
    add('locked', owner === undefined ? `${path} was left behind, or is held on another host` : `${path} is held by process ${owner}`);
  }
  if (head === undefined && base === undefined) add('no-commits', `${identity} has no commits`);
  if (head !== undefined && branch === undefined && base === undefined) add('detached-head', `HEAD of ${identity} is on no branch`);
  const changed = head === undefined ? [] : changes.map(({ path }) => path);
  if (changed.length > 0) add('dirty', `${identity} has changes that are not committed`, changed);
  const commit = base === undefined ? head : await commitOf(tools, repository, base, signal);
  if (commit === undefined) {
    if (base !== undefined) add('base-missing', `there is no commit ${JSON.stringify(base)} in ${identity}`);
    return { problems };
  }
  if (await isMissingObjects(tools, repository, commit, signal)) {
    add('partial', `${identity} is a partial clone: it has not fetched all files of ${base ?? 'HEAD'}`);
    // The following checks read files.
    return { commit, problems };
  }
  const { submodules, lfs } = await unsupportedFiles(tools, repository, commit, signal);
  if (submodules.length > 0) add('submodules', `${identity} has submodules`, submodules);
  if (lfs.length > 0) add('lfs', `${identity} keeps files in LFS`, lfs);
  return { commit, problems };
}

/** The state of a checkout in one answer. In a bare repository HEAD counts if there is no other base. */
async function headOf(tools: GitTools, repository: Repository, base: string | undefined, signal: AbortSignal): Promise<WorktreeStatus> {
  const { gitDir, checkout } = repository;
  if (checkout !== undefined) return await readStatus(tools, { gitDir, workTree: checkout }, { all: false }, signal);
  if (base !== undefined) return { changes: [] };
  const named = unlessNothing(tools.ask({ at: { gitDir }, argv: ['symbolic-ref', '--quiet', 'HEAD'] }, signal));
  const [head, branch] = await Promise.all([commitOf(tools, repository, 'HEAD', signal), named]);
  return { ...defined({ head, branch }), changes: [] };
}

async function commitOf(tools: GitTools, repository: Repository, revision: string, signal: AbortSignal): Promise<ObjectId | undefined> {
  return await resolveRevision(tools, repository, revision, signal).catch((error: unknown) => {
    if (problemOf(error) === 'base-missing') return undefined;
    throw error;
  });
}

const MODULES = '.gitmodules';

/**
 * Finds files that name submodules, and attributes that name the filter of LFS: only those files are read, by one process, and not the
 * tree.
 */
async function unsupportedFiles(
  { run }: GitTools,
  { gitDir }: Repository,
  commit: ObjectId,
  signal: AbortSignal,
): Promise<{ submodules: GitPath[]; lfs: GitPath[] }> {
  const argv = ['grep', '-lz', '-F', '--no-textconv', '-e', '[submodule', '-e', 'filter=lfs', commit];
  const { stdout } = await run({ at: { gitDir }, argv: [...argv, '--', MODULES, ':(glob)**/.gitattributes'], answers: [0, 1] }, signal);
  const found = nulParts(stdout).map((part) => part.subarray(commit.length + 1));
  const isModules = (path: GitPath): boolean => path.toString('latin1') === MODULES;
  return { submodules: found.filter(isModules), lfs: found.filter((path) => !isModules(path)) };
}

/**
 * Whether a partial clone lacks folders or files of a commit. It asks nobody for them; of other repositories it looks at names of packs
 * only.
 */
async function isMissingObjects({ run }: GitTools, { gitDir }: Repository, commit: ObjectId, signal: AbortSignal): Promise<boolean> {
  if (!(await isPartial(gitDir))) return false;
  const argv = ['rev-list', '--objects', '--missing=print', '--no-walk', commit];
  const { stdout } = await run({ at: { gitDir }, argv }, signal);
  return /^\?/m.test(stdout.toString('latin1'));
}

/** Packs from a server that keeps the rest have a file of this kind next to them. */
async function isPartial(gitDir: string): Promise<boolean> {
  const packs = await orAbsent(readdir(join(gitDir, 'objects/pack')));
  return packs?.some((name) => name.endsWith('.promisor')) ?? false;
}
