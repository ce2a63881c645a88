import { access, utimes } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Repository } from '../../activities/git-port';
import type { WorktreePlan } from '../../activities/worktree-port';
import { orUndefined } from './or-undefined';
import type { RunRefs } from './run-refs';
import { cloneOf, locked, unavailable, type WorktreeHost } from './worktree-host';

/** The repository that worktrees are made of on this host. */
export interface HostRepository {
  repository: Repository;
  /** Where refs are a remote's: with credentials, if it has them. It is neither recorded nor shown. */
  url?: string;
  /** Where files outside git are copied from. */
  checkout?: string;
}

type Origin = Pick<WorktreePlan, 'repository' | 'refsIn' | 'remote'>;

/** Fails with `worktree.unavailable` where this host does not see it. */
export async function hostRepository(host: WorktreeHost, plan: Origin, signal: AbortSignal): Promise<HostRepository> {
  return plan.refsIn === 'repository' ? await sameRepository(host, plan, signal) : await remoteRepository(host, plan, signal);
}

async function sameRepository({ git }: WorktreeHost, { repository: identity }: Origin, signal: AbortSignal): Promise<HostRepository> {
  const repository = await orUndefined('not-a-repository', git.repositories.open(identity, signal));
  if (repository?.identity !== identity) {
    throw unavailable(
      `this host has no repository ${identity}`,
      'put it where all hosts see it by the same path, name it by a URL in `repo`, or set `remote: origin`',
    );
  }
  return { repository, ...(repository.checkout === undefined ? {} : { checkout: repository.checkout }) };
}

/** A bare clone of the host's own: what an engineer does to it, to its remotes for one, is done to nobody's checkout. */
async function remoteRepository(host: WorktreeHost, plan: Origin, signal: AbortSignal): Promise<HostRepository> {
  const { url, seed } = await remoteOf(host, plan, signal);
  const repository = await clone(host, plan.repository, seed?.shallow === false ? seed.gitDir : url, signal);
  return { repository, url, ...(seed?.checkout === undefined ? {} : { checkout: seed.checkout }) };
}

/** The URL as this host's checkout has it. A host without that checkout gets by with what is recorded. */
async function remoteOf(host: WorktreeHost, plan: Origin, signal: AbortSignal): Promise<{ url: string; seed?: Repository }> {
  const { git, workFolder } = host;
  if (!plan.remote) return { url: plan.repository };
  const { name, checkout } = plan.remote;
  const seed = await orUndefined('not-a-repository', git.repositories.open(resolve(workFolder, checkout), signal));
  const url = seed && (await git.remotes.url(seed, name, signal));
  if (seed && url !== undefined && git.remotes.identity(url) === plan.repository) return { url, seed };
  return { url: plan.repository };
}

/** From the checkout, where there is one: that is a matter of links. */
async function clone(host: WorktreeHost, identity: string, from: string, signal: AbortSignal): Promise<Repository> {
  const { git } = host;
  const folder = cloneOf(host, identity);
  return await locked(host, basename(folder), signal, async () => {
    const isThere = await access(folder).then(
      () => true,
      () => false,
    );
    const repository = await git.repositories.clone(from, folder, { bare: true, withoutRemote: true }, signal);
    // By it the janitor knows when it was used last.
    await utimes(folder, new Date(), new Date());
    if (isThere) return repository;
    // They are as old as the clone from now on, and would be taken for the remote's.
    for (const { name, id } of await git.refs.list(repository, 'refs/heads/', signal)) {
      await git.refs.compareAndSwap(repository, { ref: name, from: id, to: undefined }, signal);
    }
    return repository;
  });
}

/** Where the remote's branches are, as they are when the call returns; its tags have their own names. */
export const REMOTE_HEADS = 'refs/remotes/origin/';

/** Brings what the remote has. Answers with the names of its branches. */
export async function mirror(host: WorktreeHost, repository: Repository, url: string, signal: AbortSignal): Promise<string[]> {
  return await locked(host, basename(repository.gitDir), signal, () => bringAll(host, repository, url, signal));
}

async function bringAll({ git }: WorktreeHost, repository: Repository, url: string, signal: AbortSignal): Promise<string[]> {
  const heads = (await git.remotes.list(url, 'refs/heads/', signal)).map(({ name }) => name.slice('refs/heads/'.length));
  // A branch that is gone would stand for one that is there, or in the way of another.
  for (const { name, id } of await git.refs.list(repository, REMOTE_HEADS, signal)) {
    if (heads.includes(name.slice(REMOTE_HEADS.length))) continue;
    await git.refs.compareAndSwap(repository, { ref: name, from: id, to: undefined }, signal);
  }
  const refs = [
    { from: 'refs/heads/*', to: `${REMOTE_HEADS}*` },
    { from: 'refs/tags/*', to: 'refs/tags/*' },
  ];
  if (heads.length > 0) await git.remotes.fetch(repository, url, refs, signal);
  return heads;
}

export function runRefsOf({ git }: Pick<WorktreeHost, 'git'>, { repository, url }: HostRepository, signal: AbortSignal): RunRefs {
  if (url === undefined) {
    return {
      list: (prefix) => git.refs.list(repository, prefix, signal),
      swap: (swap) => git.refs.compareAndSwap(repository, swap, signal),
    };
  }
  return {
    list: (prefix) => git.remotes.list(url, prefix, signal),
    swap: (swap) => git.remotes.compareAndSwap(repository, url, swap, signal),
  };
}

/** Brings a commit that a branch, a tag or a run ref of the remote has. Fails with `base-missing` where none has it. */
export async function bringCommit(
  host: WorktreeHost,
  { repository, url }: HostRepository,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  const { git } = host;
  const has = async () => (await orUndefined('base-missing', git.repositories.resolve(repository, commit, signal))) !== undefined;
  if (url === undefined || (await has())) {
    await git.repositories.resolve(repository, commit, signal);
    return;
  }
  const pushed = (await git.remotes.list(url, 'refs/thermidor/', signal)).find(({ id }) => id === commit);
  if (pushed) await git.remotes.fetch(repository, url, [{ from: pushed.name, to: pushed.name }], signal);
  else await mirror(host, repository, url, signal);
  await git.repositories.resolve(repository, commit, signal);
}
