import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Ref, Repository } from '../../activities/git-model';
import type { WorktreePlan } from '../../activities/worktree-port';
import { defined } from '../../plan/defined';
import { bringFromSource, REMOTE_HEADS, TAGS, WORK_REFS } from './bring-from-source';
import { hostClone } from './host-clone';
import { orUndefined } from './or-undefined';
import type { RunRefs } from './run-refs';
import { locked, takenAway, unavailable, type WorktreeHost } from './worktree-host';

/** A repository as a host has it. */
export type HostRepository = RefPlace & {
  /** The host's own clone: an engineer's work in a worktree changes nobody's checkout. */
  repository: Repository;
  /** The checkout from which files outside git are copied. */
  checkout?: string;
};

/**
 * Where bases and refs of runs are: in a repository on this host, in which we move nothing else but the target of a merge queue; or at a
 * URL, with credentials if it has them, which is neither recorded nor shown.
 */
export type RefPlace = { source: Repository; url?: undefined } | { url: string; source?: undefined };

type Origin = Pick<WorktreePlan, 'repository' | 'refsIn' | 'remote'>;

/** Fails with `worktree.unavailable` if this host does not see it. */
export async function hostRepository(host: WorktreeHost, plan: Origin, signal: AbortSignal): Promise<HostRepository> {
  return plan.refsIn === 'repository' ? await besideSource(host, plan, signal) : await remoteRepository(host, plan, signal);
}

async function besideSource(host: WorktreeHost, plan: Origin, signal: AbortSignal): Promise<HostRepository> {
  const source = await sourceRepository(host, plan, signal);
  const repository = await hostClone(host, source.identity, source.gitDir, signal);
  return { repository, source, ...defined({ checkout: source.checkout }) };
}

/** The repository that a path is. */
export async function sourceRepository(
  { git }: Pick<WorktreeHost, 'git'>,
  { repository: identity }: Pick<Origin, 'repository'>,
  signal: AbortSignal,
): Promise<Repository> {
  const repository = await orUndefined('not-a-repository', git.repositories.open(identity, signal));
  if (repository?.identity === identity) return repository;
  throw unavailable(
    `this host has no repository ${identity}`,
    'put it on a path that is the same on all hosts, name it by a URL in `repo`, or set `remote: origin`',
  );
}

async function remoteRepository(host: WorktreeHost, plan: Origin, signal: AbortSignal): Promise<HostRepository> {
  const { url, seed } = await remoteOf(host, plan, signal);
  const from = seed?.shallow === false ? seed.gitDir : url;
  const repository = await hostClone(host, plan.repository, from, signal);
  return { repository, url, ...defined({ checkout: seed?.checkout }) };
}

/** The URL as this host's checkout has it. A host without that checkout uses the recorded one. */
async function remoteOf(host: WorktreeHost, plan: Origin, signal: AbortSignal): Promise<{ url: string; seed?: Repository }> {
  const { git, workFolder } = host;
  if (!plan.remote) return { url: plan.repository };
  const { name, checkout } = plan.remote;
  const seed = await orUndefined('not-a-repository', git.repositories.open(resolve(workFolder, checkout), signal));
  const url = seed && (await git.remotes.url(seed, name, signal));
  if (seed && url !== undefined && git.remotes.identity(url) === plan.repository) return { url, seed };
  return { url: plan.repository };
}

/**
 * Work in this host's clone. If that is taken away meanwhile, as with a disk, whatever fails of it is tried again: a folder that is made
 * anew has locks of its own, so those do not tell.
 */
export async function inRepository<T>(
  host: WorktreeHost,
  origin: Parameters<typeof hostRepository>[1],
  signal: AbortSignal,
  work: (there: HostRepository) => Promise<T>,
): Promise<T> {
  const there = await hostRepository(host, origin, signal);
  try {
    return await work(there);
  } catch (error) {
    signal.throwIfAborted();
    throw existsSync(there.repository.gitDir) ? error : takenAway(host.root, error);
  }
}

/** Fetches the remote's branches. Returns their names. */
export async function mirror(host: WorktreeHost, repository: Repository, url: string, signal: AbortSignal): Promise<string[]> {
  return await locked(host, basename(repository.gitDir), signal, () => bringAll(host, repository, url, signal));
}

async function bringAll({ git }: WorktreeHost, repository: Repository, url: string, signal: AbortSignal): Promise<string[]> {
  const heads = (await git.remotes.list(url, 'refs/heads/', signal)).map(({ name }) => name.slice('refs/heads/'.length));
  // A deleted branch could be mistaken for an existing one, or block another.
  for (const { name, id } of await git.refs.list(repository, REMOTE_HEADS, signal)) {
    if (heads.includes(name.slice(REMOTE_HEADS.length))) continue;
    await git.refs.compareAndSwap(repository, { ref: name, from: id, to: undefined }, signal);
  }
  const refs = [
    { from: 'refs/heads/*', to: `${REMOTE_HEADS}*` },
    { from: `${TAGS}*`, to: `${TAGS}*` },
  ];
  if (heads.length > 0) await git.remotes.fetch(repository, url, refs, signal);
  return heads;
}

/** @param holder has the commits that refs are moved to, for example a worktree's own repository */
export function runRefsOf({ git }: Pick<WorktreeHost, 'git'>, origin: RefPlace, holder: Repository, signal: AbortSignal): RunRefs {
  const { source, url } = origin;
  if (source === undefined) {
    return {
      list: (prefix) => git.remotes.list(url, prefix, signal),
      swap: (swap) => git.remotes.compareAndSwap(holder, url, swap, signal),
    };
  }
  return {
    list: (prefix) => git.refs.list(source, prefix, signal),
    swap: (swap) =>
      swap.to === undefined ? git.refs.compareAndSwap(source, swap, signal) : git.transfers.deliver(holder, source, swap, signal),
  };
}

/**
 * Fetches the commit where work begins: one that the source has, or a branch, a tag or a run ref of the remote, with all tags. Returns the
 * clone's `WORK_REFS`. Fails with `base-missing` if it is nowhere.
 *
 * @param listed the source's refs, including its tags
 */
export async function bringBase(
  host: WorktreeHost,
  origin: HostRepository,
  commit: string,
  listed: readonly Ref[],
  signal: AbortSignal,
): Promise<Ref[]> {
  const { repository, source } = origin;
  const tags = listed.filter(({ name }) => name.startsWith(TAGS));
  if (source) return await bringFromSource(host, repository, source, { commits: [commit], tags }, signal);
  await bringFromRemote(host, origin, commit, signal);
  return await host.git.refs.list(repository, WORK_REFS, signal);
}

/** Commits alone. Fails with `base-missing`. */
export async function bringCommits(
  host: WorktreeHost,
  origin: HostRepository,
  commits: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { repository, source } = origin;
  if (source) await bringFromSource(host, repository, source, { commits }, signal);
  else for (const commit of new Set(commits)) await bringFromRemote(host, origin, commit, signal);
}

async function bringFromRemote(
  host: WorktreeHost,
  { repository, url }: Extract<HostRepository, { url: string }>,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  const { git } = host;
  if ((await git.commits.lacking(repository, [commit], signal)).length === 0) return;
  const pushed = (await git.remotes.list(url, 'refs/thermidor/', signal)).find(({ id }) => id === commit);
  if (pushed) await git.remotes.fetch(repository, url, [{ from: pushed.name, to: pushed.name }], signal);
  else await mirror(host, repository, url, signal);
  await git.repositories.resolve(repository, commit, signal);
}
