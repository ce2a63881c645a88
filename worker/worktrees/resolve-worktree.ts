import { lstat, realpath } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import { orAbsent } from '../../activities/adapters/git/absent';
import { repositoryFailure, withHint } from '../../activities/adapters/git/failures';
import type { FoundProblem, ListedWorktree, Repository } from '../../activities/git-model';
import type { WantedWorktree, WorktreePlan } from '../../activities/worktree-port';
import { defined, unlessEmpty } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import { REPOSITORY_PROBLEMS, type RepositoryProblem } from '../../plan/run/repository-problem';
import { asJson } from '../../records/stored-json';
import { REMOTE_HEADS } from './bring-from-source';
import { type HostRepository, hostRepository, mirror, sourceRepository } from './host-repository';
import { isUrl } from './is-url';
import { orUndefined } from './or-undefined';
import { requireApart, unavailable, type WorktreeHost } from './worktree-host';

/** Fails with all problems of the worktree at once. */
export async function resolveWorktree(host: WorktreeHost, wanted: WantedWorktree, signal: AbortSignal): Promise<WorktreePlan> {
  requireApart(host);
  const origin = await originOf(host, wanted, signal);
  const found = await baseOf(host, origin, wanted, signal);
  const copy = (wanted.copy ?? []).map(pathWithin);
  const problems = [...found.problems, ...(await missingCopies(found.checkout, copy))];
  const against = problems.filter(({ problem }) => !TOLERATED.includes(problem));
  if (against.length > 0 || found.base === undefined) throw refused(against);
  const notes = problems.filter(({ problem }) => TOLERATED.includes(problem)).map(({ message }) => message);
  return { ...origin, base: found.base, copy, keep: wanted.keep ?? false, ...defined({ notes: unlessEmpty(notes), label: wanted.label }) };
}

/** Worktrees come from commits, so uncommitted changes are no obstacle; a lock may be gone before it matters. */
const TOLERATED: readonly RepositoryProblem[] = ['submodules', 'lfs', 'dirty', 'locked'];

type Origin = Pick<WorktreePlan, 'repository' | 'refsIn' | 'remote'>;

export async function originOf(
  { git, workFolder }: Pick<WorktreeHost, 'git' | 'workFolder'>,
  wanted: Pick<WantedWorktree, 'repo' | 'remote'>,
  signal: AbortSignal,
): Promise<Origin> {
  const { repo = '.', remote } = wanted;
  // A template that has nothing to say must not mean the worker's own folder.
  if (repo.trim() === '') throw unavailable('`repo` is empty', 'name a path or a URL, or leave it out for the folder of the worker');
  if (isUrl(repo)) {
    if (remote !== undefined) {
      throw unavailable(`${git.remotes.identity(repo)} is a URL, which has no remotes`, 'leave out `remote`, or name a checkout in `repo`');
    }
    return { repository: withoutCredentials(git.remotes.identity(repo), repo), refsIn: 'remote' };
  }
  const checkout = await git.repositories.open(resolve(workFolder, repo), signal);
  if (remote === undefined) return { repository: checkout.identity, refsIn: 'repository' };
  const url = await git.remotes.url(checkout, remote, signal);
  if (url === undefined) throw unavailable(`${checkout.identity} has no remote ${JSON.stringify(remote)}`, 'look at `git remote -v`');
  return { repository: git.remotes.identity(url), refsIn: 'remote', remote: { name: remote, checkout: repo } };
}

/** Credentials would be in the run's records, and no other host would have them. */
function withoutCredentials(identity: string, url: string): string {
  if (!/^https?:\/\/[^/]*@/i.test(url)) return identity;
  throw repositoryFailure('unauthorised', `the URL of ${identity} has credentials in it, which would be kept with the run`);
}

interface Base {
  base?: string;
  problems: FoundProblem[];
}

async function baseOf(
  host: WorktreeHost,
  origin: Origin,
  wanted: WantedWorktree,
  signal: AbortSignal,
): Promise<Base & Pick<HostRepository, 'checkout'>> {
  if (origin.refsIn === 'repository') {
    const source = await sourceRepository(host, origin, signal);
    return { ...(await localBase(host, source, wanted, signal)), ...defined({ checkout: source.checkout }) };
  }
  const at = await hostRepository(host, origin, signal);
  return { ...(await remoteBase(host, at, wanted.base, signal)), ...defined({ checkout: at.checkout }) };
}

async function localBase(
  host: WorktreeHost,
  repository: Repository,
  { repo = '.', base }: WantedWorktree,
  signal: AbortSignal,
): Promise<Base> {
  const { git, workFolder } = host;
  const linked = base === undefined ? await linkedCheckout(host, repository, resolve(workFolder, repo), signal) : undefined;
  if (linked?.head !== undefined) {
    const { problems } = await git.repositories.examine(repository, linked.head, signal);
    const detached =
      linked.branch === undefined ? [problem('detached-head', `HEAD of ${linked.path.toString('utf8')} is on no branch`)] : [];
    // The main checkout is somebody else's place of work.
    return { base: linked.head, problems: [...problems.filter((found) => found.problem !== 'dirty'), ...detached] };
  }
  const { commit, problems } = await git.repositories.examine(repository, base, signal);
  return { problems: problems.map(saidOfWorktree), ...defined({ base: commit }) };
}

/** A linked checkout has a HEAD of its own, which the people who work there mean. */
async function linkedCheckout(
  { git }: WorktreeHost,
  repository: Repository,
  folder: string,
  signal: AbortSignal,
): Promise<ListedWorktree | undefined> {
  const real = await realpath(folder);
  if (real === repository.checkout) return undefined;
  const around = (await git.worktrees.list(repository, signal)).filter(({ path }) => `${real}/`.startsWith(`${path.toString('utf8')}/`));
  const nearest = around.sort((a, b) => b.path.length - a.path.length)[0];
  return nearest?.path.toString('utf8') === repository.checkout ? undefined : nearest;
}

function saidOfWorktree(found: FoundProblem): FoundProblem {
  if (found.problem !== 'dirty') return found;
  const names = (found.paths ?? []).slice(0, 5).map((path) => JSON.stringify(path.toString('utf8')));
  const more = (found.paths?.length ?? 0) - names.length;
  return {
    ...found,
    message: `changes that are not committed are not in the worktree: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  };
}

async function remoteBase(
  host: WorktreeHost,
  { repository, url = '' }: HostRepository,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<Base> {
  const { git } = host;
  const identity = git.remotes.identity(url);
  const heads = await mirror(host, repository, url, signal);
  const base = wanted ?? (await git.remotes.defaultBranch(url, signal));
  if (base === undefined && heads.length > 0) return { problems: [problem('detached-head', `${identity} has no default branch`)] };
  if (base === undefined || heads.length === 0) return { problems: [problem('no-commits', `${identity} has no commits`)] };
  for (const revision of revisionsOf(base)) {
    const commit = await orUndefined('base-missing', git.repositories.resolve(repository, revision, signal));
    if (commit === undefined) continue;
    const { problems } = await git.repositories.examine(repository, commit, signal);
    return {
      base: commit,
      problems: problems.map((found) => ({ ...found, message: found.message.replaceAll(repository.identity, identity) })),
    };
  }
  return { problems: [problem('base-missing', `there is no commit ${JSON.stringify(base)} in ${identity}`)] };
}

/** The revisions for a branch, a tag, or the name of a commit. A clone's own branches are nobody's base. */
function revisionsOf(base: string): string[] {
  const branch = base.replace(/^refs\/heads\//, '').replace(/^(refs\/remotes\/)?origin\//, '');
  const tag = base.replace(/^refs\/tags\//, '');
  return [`${REMOTE_HEADS}${branch}`, `refs/tags/${tag}`, ...(/^[0-9a-f]{4,64}\b/.test(base) ? [base] : [])];
}

/** A path as people write it: `./.env`, `node_modules/`. */
function pathWithin(name: string): string {
  return posix.normalize(name).replace(/(?<=.)\/$/, '');
}

async function missingCopies(checkout: string | undefined, names: readonly string[]): Promise<FoundProblem[]> {
  if (names.length === 0) return [];
  if (checkout === undefined) {
    return [
      problem(
        'path-missing',
        '`copy` takes files from a checkout, and the repository is bare or a URL; name a checkout in `repo`, with `remote: origin` if refs go there',
      ),
    ];
  }
  const missing: string[] = [];
  for (const name of names) {
    if (!(await orAbsent(lstat(join(checkout, name))))) missing.push(name);
  }
  return missing.map((name) => problem('path-missing', `there is no ${JSON.stringify(name)} in ${checkout}`));
}

function problem(name: RepositoryProblem, message: string): FoundProblem {
  return { problem: name, message: withHint(name, message) };
}

function refused(found: readonly FoundProblem[]): ThermidorFailure {
  const first = found[0]?.problem ?? 'base-missing';
  const problems = found.map(({ problem }) => problem);
  const message = found.map(({ message }) => message).join('\n');
  return new ThermidorFailure(REPOSITORY_PROBLEMS[first].code, message, { problem: first, problems: asJson(problems) });
}
