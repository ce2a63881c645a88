import { resolve } from 'node:path';
import { problemOf, repositoryFailure } from '../../activities/adapters/git/failures';
import type { Repository } from '../../activities/git-model';
import type { Advance, MergeBatch, MergedBatch, MergeHost } from '../../activities/queue-port';
import { defined } from '../../plan/defined';
import type { MergedAs } from '../../plan/queue/queue-activities';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import type { QueueTarget } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import { taskRefs } from '../../plan/run/run-ref';
import { queueId } from '../../records/queues/queue-id';
import { REMOTE_HEADS } from '../worktrees/bring-from-source';
import { clearIndexLock } from '../worktrees/clear-locks';
import { withSoundClone } from '../worktrees/host-clone';
import { bringCommits, type HostRepository, inRepository, mirror, runRefsOf } from '../worktrees/host-repository';
import { refNotes } from '../worktrees/ref-notes';
import { originOf } from '../worktrees/resolve-worktree';
import { takenAway, type WorktreeHost, type WorktreeHostOptions, worktreeHost } from '../worktrees/worktree-host';
import { mergeOnto, shown } from './merge-candidate';

export interface MergeHostOptions extends WorktreeHostOptions {
  rules(target: QueueTarget): QueueSettings;
}

/** The repositories of this host, as merge queues use them. */
export function createMergeHost({ rules, ...options }: MergeHostOptions): MergeHost {
  const host = worktreeHost(options);
  return {
    rules,
    origin: (wanted, signal) => originOf(host, wanted, signal),
    merge: (request, signal) =>
      withSoundClone(host, request.target.repository, signal, () =>
        inRepository(host, request.target, signal, (origin) => mergeBatch(host, origin, request, signal)),
      ),
    keep: (target, run, result, signal) =>
      inRepository(host, target, signal, async (origin) => {
        await noteRefs(host, origin, target, run);
        await swapRef(host, origin, { ref: keptRef(run, result), from: undefined, to: result }, signal).catch(async (error: unknown) => {
          // The clone is a new one: the one that has the result was taken away after the merge, as with a disk.
          throw (await hasCommit(host, origin, result, signal)) ? error : takenAway(host.root, error);
        });
      }),
    async bring(target, result, signal) {
      // Each commit of a repository on this host can be reached by its id.
      if (target.refsIn === 'remote') await inRepository(host, target, signal, (origin) => bringCommits(host, origin, [result], signal));
    },
    has: (target, commit, signal) =>
      inRepository(host, target, signal, async (origin) => isIn(host, origin, commit, await headOf(host, origin, target, signal), signal)),
    isSameTree: (target, one, other, signal) =>
      inRepository(host, target, signal, async (origin) => {
        await bringCommits(host, origin, [one, other], signal);
        const treeOf = (commit: string) => host.git.commits.treeOf(origin.repository, commit, signal);
        return (await treeOf(one)) === (await treeOf(other));
      }),
    advance: (target, swap, signal) => inRepository(host, target, signal, (origin) => advance(host, origin, target, swap, signal)),
    forget: (target, run, results, signal) =>
      inRepository(host, target, signal, async (origin) => {
        for (const result of results) await swapRef(host, origin, { ref: keptRef(run, result), from: result, to: undefined }, signal);
      }),
  };
}

/** The failure for a commit that this host cannot fetch: no branch has it. */
async function isIn(host: WorktreeHost, origin: HostRepository, commit: string, head: string, signal: AbortSignal): Promise<boolean> {
  if (head === commit) return true;
  const { git } = host;
  const { repository, source } = origin;
  const brought = source ? git.repositories.resolve(source, commit, signal) : bringCommits(host, origin, [commit], signal);
  const there = await brought.then(
    () => true,
    (error: unknown) => {
      if (problemOf(error) === 'base-missing') return false;
      throw error;
    },
  );
  return there && (await git.commits.isAncestor(source ?? repository, commit, head, signal));
}

async function hasCommit({ git }: WorktreeHost, { repository }: HostRepository, commit: string, signal: AbortSignal): Promise<boolean> {
  try {
    await git.repositories.resolve(repository, commit, signal);
    return true;
  } catch (error) {
    if (problemOf(error) === 'base-missing') return false;
    throw error;
  }
}

function branchRef({ branch }: QueueTarget): string {
  return `refs/heads/${branch}`;
}

/** Keeps a result until its attempt is over, and has other hosts find it. */
function keptRef(run: string, commit: string): string {
  return `${taskRefs(run, 'queue')}${commit}`;
}

/** Recorded so that the janitor finds the refs of a terminated queue. */
async function noteRefs(host: WorktreeHost, { repository }: HostRepository, target: QueueTarget, run: string): Promise<void> {
  const [id, storeId] = await Promise.all([host.id(), host.storeId()]);
  const { namespace, root, workFolder } = host;
  const remote = target.remote && { ...target.remote, checkout: resolve(workFolder, target.remote.checkout) };
  const where = { repository: target.repository, checkout: repository.identity, ...defined({ remote }) };
  await refNotes(root).note({ host: id, storeId, namespace, workflowId: queueId(target), run, ...where });
}

async function headOf(
  host: WorktreeHost,
  { repository, source, url }: HostRepository,
  target: QueueTarget,
  signal: AbortSignal,
): Promise<string> {
  if (url !== undefined) await mirror(host, repository, url, signal);
  const head = source
    ? await host.git.refs.read(source, branchRef(target), signal)
    : await host.git.refs.read(repository, `${REMOTE_HEADS}${target.branch}`, signal);
  if (head === undefined)
    throw repositoryFailure('base-missing', `there is no branch ${JSON.stringify(target.branch)} in ${target.repository}`);
  return head;
}

/** A folder that has the target checked out moves with it: its own changes would be lost, or mixed in. */
async function requireClean(host: WorktreeHost, { source }: HostRepository, target: QueueTarget, signal: AbortSignal): Promise<void> {
  const { git } = host;
  if (!source) return;
  const found = (await git.worktrees.list(source, signal)).find(({ branch, prunable }) => branch === target.branch && !prunable);
  if (!found) return;
  const path = found.path.toString('utf8');
  const worktree =
    path === source.checkout ? { path, gitDir: source.gitDir, repository: source } : await git.worktrees.open(source, path, signal);
  const changes = (await git.worktrees.status(worktree, signal)).changes.filter(({ kind }) => kind !== 'untracked');
  if (changes.length === 0) return;
  const names = changes.slice(0, 5).map((change) => JSON.stringify(change.path.toString('utf8')));
  const more = changes.length > names.length ? ` and ${changes.length - names.length} more` : '';
  throw repositoryFailure('dirty', `${target.branch} is checked out in ${path}, which has changes: ${names.join(', ')}${more}`);
}

async function mergeBatch(host: WorktreeHost, origin: HostRepository, request: MergeBatch, signal: AbortSignal): Promise<MergedBatch> {
  const { target, candidates } = request;
  const onto = request.onto ?? (await cleanHead(host, origin, target, signal));
  const { within = onto } = request;
  await bringCommits(host, origin, [within, onto, ...candidates.map(({ candidate }) => candidate)], signal);
  const parts: MergedAs[] = [];
  let result = onto;
  for (const one of candidates) {
    const merged = await mergeOnto(host, origin.repository, { ...one, onto: result, strategy: request.strategy }, signal);
    parts.push(merged);
    if (merged.kind === 'merged') result = merged.commit;
  }
  return { onto, result, parts };
}

async function cleanHead(host: WorktreeHost, origin: HostRepository, target: QueueTarget, signal: AbortSignal): Promise<string> {
  const [asked, clean] = [headOf(host, origin, target, signal), requireClean(host, origin, target, signal)];
  await Promise.allSettled([asked, clean]);
  await clean;
  return await asked;
}

async function advance(
  host: WorktreeHost,
  origin: HostRepository,
  target: QueueTarget,
  { from, to, within }: { from: string; to: string; within?: string },
  signal: AbortSignal,
): Promise<Advance> {
  const { git } = host;
  const { repository, source, url } = origin;
  const head = await headOf(host, origin, target, signal);
  // After a crash the target may have moved already, perhaps further since. At `from` it has not: `to` is on top of that.
  if (head !== from && (await isIn(host, origin, to, head, signal))) return { kind: 'moved' };
  const swap = { ref: branchRef(target), from, to };
  if (!source) {
    await bringCommits(host, origin, [within ?? to, to], signal);
    if (head === from) await requireOnTop(host, repository, from, to, signal);
    return moved(await git.remotes.compareAndSwap(repository, url, swap, signal));
  }
  // The ref that keeps the commit has brought it into this clone.
  await git.repositories.resolve(source, to, signal);
  if (head === from) await requireOnTop(host, source, from, to, signal);
  await clearIndexLock(git, source);
  const advanced = await git.refs.advance(source, swap, signal);
  if (advanced.kind !== 'dirty') return moved(advanced);
  return { kind: 'dirty', folder: advanced.worktree, paths: shown(advanced.paths).paths };
}

/** A target loses nothing that it has. */
async function requireOnTop({ git }: WorktreeHost, repository: Repository, from: string, to: string, signal: AbortSignal): Promise<void> {
  if (!(await git.commits.isAncestor(repository, from, to, signal)))
    throw new ThermidorFailure('queue.not-recorded', `${to} is not on top of ${from}`);
}

function moved({ kind }: { kind: 'moved' | 'already' | 'stale' }): Advance {
  return { kind: kind === 'stale' ? 'stale' : 'moved' };
}

type Swap = Parameters<WorktreeHost['git']['refs']['compareAndSwap']>[1];

/** Swaps a ref that has one value or none: if somebody else has swapped it, the result is the same. */
async function swapRef(host: WorktreeHost, origin: HostRepository, swap: Swap, signal: AbortSignal): Promise<void> {
  await runRefsOf(host, origin, origin.repository, signal).swap(swap);
}
