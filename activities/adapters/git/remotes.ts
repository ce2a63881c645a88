import { resolve } from 'node:path';
import { defined } from '../../../plan/defined';
import type { ObjectId, Ref, Repository, Swap, Swapped } from '../../git-model';
import type { Remotes } from '../../git-port';
import { gitFailed, problemOf, repositoryFailure } from './failures';
import type { GitTools } from './git-tools';
import { checkedId, checkedPrefix, checkedRef, checkedUrl, urlIdentity } from './names';
import { unlessNothing } from './questions';
import { outcome, parseRefs } from './refs';

/** Remotes by their URLs: a repository's settings for a remote's name (programs, refs, options of pushes) do not count. */
export function remotesOf(tools: GitTools): Remotes {
  return {
    url: (repository, name, signal) => urlOf(tools, repository, name, signal),
    identity: urlIdentity,
    list: (url, prefix, signal) => listRemote(tools, url, [`${checkedPrefix(prefix)}*`], prefix, signal),
    defaultBranch: (url, signal) => defaultBranchOf(tools, url, signal),
    fetch: (repository, url, refs, signal) => fetchRefs(tools, repository, url, refs, signal),
    compareAndSwap: (repository, url, swap, signal) => swapRemote(tools, repository, url, swap, signal),
  };
}

async function urlOf({ read }: GitTools, { gitDir, identity }: Repository, name: string, signal: AbortSignal): Promise<string | undefined> {
  const answer = await unlessNothing(read({ at: { gitDir }, argv: ['remote', 'get-url', '--', name] }, signal), 2);
  if (answer === undefined) return undefined;
  const url = answer.toString('utf8').replace(/\n$/, '');
  return /^\.{0,2}\//.test(url) || !url.includes(':') ? resolve(identity, url) : checkedUrl(url);
}

async function listRemote(
  { run }: GitTools,
  url: string,
  patterns: readonly string[],
  prefix: string,
  signal: AbortSignal,
): Promise<Ref[]> {
  const { stdout } = await run({ argv: ['ls-remote', '--refs', '--quiet', '--', checkedUrl(url), ...patterns], network: true }, signal);
  return parseRefs(stdout, [prefix]);
}

async function defaultBranchOf({ run }: GitTools, url: string, signal: AbortSignal): Promise<string | undefined> {
  const { stdout } = await run({ argv: ['ls-remote', '--symref', '--quiet', '--', checkedUrl(url), 'HEAD'], network: true }, signal);
  return /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(stdout.toString('utf8'))?.[1];
}

async function fetchRefs(
  { run }: GitTools,
  { gitDir }: Repository,
  url: string,
  refs: readonly { from: string; to: string }[],
  signal: AbortSignal,
): Promise<void> {
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance', '--refmap='];
  const specs = refs.map(({ from, to }) => `+${checkedRefs(from)}:${checkedRefs(to)}`);
  await run({ at: { gitDir }, argv: ['fetch', ...options, '--', checkedUrl(url), ...specs], network: true }, signal).catch(
    (error: unknown) => {
      const missing = error instanceof Error ? /couldn't find remote ref (\S+)/.exec(error.message)?.[1] : undefined;
      throw missing === undefined ? error : repositoryFailure('base-missing', `${urlIdentity(url)} has no ${missing}`);
    },
  );
}

/** A ref, or all below a prefix: `refs/heads/*`. */
function checkedRefs(name: string): string {
  return name.endsWith('/*') ? `${checkedPrefix(name.slice(0, -1))}*` : checkedRef(name);
}

async function swapRemote(tools: GitTools, repository: Repository, url: string, swap: Swap, signal: AbortSignal): Promise<Swapped> {
  const { ref } = swap;
  const actual = async () => (await listRemote(tools, url, [ref], ref, signal)).find(({ name }) => name === ref)?.id;
  return await pushSwap(tools, repository, { to: checkedUrl(url), options: [], actual, network: true }, swap, signal);
}

export interface Push {
  to: string;
  options: readonly string[];
  /** The ref's current value there. */
  actual(): Promise<ObjectId | undefined>;
  network?: true;
}

export async function pushSwap(
  tools: GitTools,
  { gitDir }: Repository,
  push: Push,
  { ref, from, to }: Swap,
  signal: AbortSignal,
): Promise<Swapped> {
  const { actual, network } = push;
  const [before, after] = [from === undefined ? '' : checkedId(from), to === undefined ? '' : checkedId(to)];
  const lease = `--force-with-lease=${checkedRef(ref)}:${before}`;
  const options = ['--porcelain', '--no-verify', '--no-signed', '--no-follow-tags', '--recurse-submodules=no', lease, ...push.options];
  // Without an old and a new value nothing would be pushed, and nothing asked.
  if (before === '' && after === '') return outcome(await actual(), from, to) ?? { kind: 'already' };
  const argv = ['push', ...options, '--', push.to, `${after}:${ref}`];
  try {
    const { exitCode, stdout, stderr } = await tools.run({ at: { gitDir }, argv, answers: [0, 1], ...defined({ network }) }, signal);
    const report = stdout.toString('utf8');
    if (exitCode !== 0) throw gitFailed('git push', { code: exitCode }, [stderr, ...(report.match(/^!.*/gm) ?? [])].join('\n'));
    return { kind: /^=/m.test(report) ? 'already' : 'moved' };
  } catch (error) {
    if (problemOf(error) === undefined) throw error;
    // Refused, or moved by another, or moved by this push, whose answer was lost. If nobody answers, the first failure gives the reason.
    const lost = await actual().then(
      (id) => outcome(id, from, to),
      () => undefined,
    );
    if (lost) return lost;
    throw error;
  }
}
