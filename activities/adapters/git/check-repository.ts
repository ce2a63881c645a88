import type { RepositoryProblem } from '../../../plan/run/repository-problem';
import type { FoundProblem, GitPath, ObjectId, Repository } from '../../git-model';
import { problemOf, withHint } from './failures';
import type { GitTools } from './git-tools';
import { nulParts } from './listings';
import { listLocks } from './locks';
import { isMissingObjects } from './missing-objects';
import { unlessNothing } from './questions';
import { resolveRevision } from './repository';
import { readStatus } from './status';

/** All that stands against work from a base, so that it is reported at once and before anything begins. */
export async function findProblems(
  tools: GitTools,
  repository: Repository,
  base: string | undefined,
  signal: AbortSignal,
): Promise<FoundProblem[]> {
  const { identity } = repository;
  const { head, detached } = await headOf(tools, repository, signal);
  const found: FoundProblem[] = [];
  const add = (problem: RepositoryProblem, message: string, paths?: GitPath[]) => {
    found.push({ problem, message: withHint(problem, message), ...(paths ? { paths } : {}) });
  };
  if (repository.shallow) add('shallow', `${identity} is a shallow clone: commits that a merge needs may be missing`);
  for (const { path, owner } of await listLocks(repository)) {
    add('locked', owner === undefined ? `${path} was left behind, or is held on another host` : `${path} is held by process ${owner}`);
  }
  if (head === undefined && base === undefined) add('no-commits', `${identity} has no commits`);
  if (head !== undefined && detached && base === undefined) add('detached-head', `HEAD of ${identity} is on no branch`);
  if (repository.checkout !== undefined && head !== undefined) {
    const at = { gitDir: repository.gitDir, workTree: repository.checkout };
    const { changes } = await readStatus(tools, at, { all: false }, signal);
    const paths = changes.map(({ path }) => path);
    if (paths.length > 0) add('dirty', `${identity} has changes that are not committed`, paths);
  }
  const commit = base === undefined ? head : await commitOf(tools, repository, base, signal);
  if (commit === undefined) {
    if (base !== undefined) add('base-missing', `there is no commit ${JSON.stringify(base)} in ${identity}`);
    return found;
  }
  if (await isMissingObjects(tools, repository, commit, signal)) {
    add('partial', `${identity} is a partial clone: it has not fetched all files of ${base ?? 'HEAD'}`);
    // What follows reads files.
    return found;
  }
  const submodules = await submodulesOf(tools, repository, commit, signal);
  if (submodules.length > 0) add('submodules', `${identity} has submodules`, submodules);
  const lfs = await lfsAttributes(tools, repository, commit, signal);
  if (lfs.length > 0) add('lfs', `${identity} keeps files in LFS`, lfs);
  return found;
}

async function headOf(
  tools: GitTools,
  repository: Repository,
  signal: AbortSignal,
): Promise<{ head: ObjectId | undefined; detached: boolean }> {
  const branch = tools.ask({ at: { gitDir: repository.gitDir }, argv: ['symbolic-ref', '--quiet', 'HEAD'] }, signal);
  const [head, ref] = await Promise.all([commitOf(tools, repository, 'HEAD', signal), unlessNothing(branch)]);
  return { head, detached: ref === undefined };
}

async function commitOf(tools: GitTools, repository: Repository, revision: string, signal: AbortSignal): Promise<ObjectId | undefined> {
  return await resolveRevision(tools, repository, revision, signal).catch((error: unknown) => {
    if (problemOf(error) === 'base-missing') return undefined;
    throw error;
  });
}

async function submodulesOf({ run }: GitTools, { gitDir }: Repository, commit: string, signal: AbortSignal): Promise<GitPath[]> {
  const listing = await run({ at: { gitDir }, argv: ['ls-tree', '-z', '--name-only', commit, '--', '.gitmodules'] }, signal);
  return nulParts(listing.stdout);
}

/** The files of attributes that name the filter: not the tree is read, but those alone. */
async function lfsAttributes({ run }: GitTools, { gitDir }: Repository, commit: string, signal: AbortSignal): Promise<GitPath[]> {
  const argv = ['grep', '-lz', '-F', '--no-textconv', '-e', 'filter=lfs', commit, '--', ':(glob)**/.gitattributes'];
  const { stdout } = await run({ at: { gitDir }, argv, answers: [0, 1] }, signal);
  return nulParts(stdout).map((part) => part.subarray(commit.length + 1));
}
