import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { removeFolder } from '../../activities/adapters/git/remove-folder';
import type { Setup, WorktreePlace, WorktreePlan } from '../../activities/worktree-port';
import { defined } from '../../plan/defined';
import { runBranch, taskRefs } from '../../plan/run/run-ref';
import { makeFolder } from '../../records/directory/durable-file';
import { TAGS } from './bring-from-source';
import { copyFiles } from './copy-files';
import { bringBase, type HostRepository, runRefsOf } from './host-repository';
import { worktreeName } from './names';
import { freeBlock } from './port-blocks';
import { lastPushed, refsOf } from './run-refs';
import { environmentOf } from './worktree-environment';
import { idOf, locked, ownPlaces, requireApart, type WorktreeHost } from './worktree-host';
import type { WorktreeRecord } from './worktree-record';

export interface Making {
  at: WorktreePlace;
  plan: WorktreePlan;
  /** The commit to begin from if nothing was pushed. */
  commit: string;
  /** The record of a killed call, or of a worktree that is gone: its ports are taken again. */
  before: WorktreeRecord | undefined;
  setup: Setup;
}

/**
 * Makes a worktree and everything that belongs to it. Invariants: 1. the record exists before anything that it names; 2. it says `ready`
 * once `setup` has completed, and never before; 3. it begins at the last pushed commit, whether or not the caller knows it.
 */
export async function makeWorktree(
  host: WorktreeHost,
  origin: HostRepository,
  { at, plan, commit, before, setup }: Making,
  signal: AbortSignal,
): Promise<{ record: WorktreeRecord; commit: string }> {
  const { git, records, layout } = host;
  const { repository, source, checkout } = origin;
  requireApart(host);
  await makeFolder(layout.trees);
  const listed = source ? await git.refs.list(source, [taskRefs(at.key.run, at.slot), TAGS], signal) : [];
  const pushed = source ? refsOf(listed) : runRefsOf(host, origin, repository, signal);
  const start = (await lastPushed(pushed, at)) ?? commit;
  const refs = await bringBase(host, origin, start, listed, signal);
  const record = await recorded(host, origin, at, plan, before, signal);
  const { folder, branch } = record;
  await removeFolder(folder);
  const own = await git.transfers.lend(repository, { ...ownPlaces(host, idOf(at)), refs });
  const worktree = await git.worktrees.add(own, { path: folder, commit: start, branch }, signal);
  if (plan.copy.length > 0) await copyFiles(git, checkout, worktree, plan.copy, signal);
  await setup(folder, await environmentOf(host, origin, record));
  const ready: WorktreeRecord = { ...record, ready: true };
  await records.write(ready);
  return { record: ready, commit: start };
}

async function recorded(
  host: WorktreeHost,
  { repository }: HostRepository,
  at: WorktreePlace,
  plan: WorktreePlan,
  before: WorktreeRecord | undefined,
  signal: AbortSignal,
): Promise<WorktreeRecord> {
  const { records, layout, namespace, taskQueue } = host;
  const { key, slot, epoch } = at;
  const [id, storeId, trees] = await Promise.all([host.id(), host.storeId(), realpath(layout.trees)]);
  const remote = plan.remote && { name: plan.remote.name, checkout: resolve(host.workFolder, plan.remote.checkout) };
  const record = (portBase: number): WorktreeRecord => ({
    version: 1,
    host: id,
    storeId,
    namespace,
    taskQueue,
    workflowId: key.workflowId,
    run: key.run,
    slot,
    epoch,
    repository: plan.repository,
    checkout: repository.identity,
    folder: join(trees, worktreeName(idOf(at))),
    branch: runBranch(key.run, slot, epoch),
    portBase,
    createdAt: new Date().toISOString(),
    ...defined({ keep: plan.keep || undefined, remote, label: plan.label }),
  });
  const write = async (portBase: number) => {
    const written = record(portBase);
    await records.write(written);
    return written;
  };
  if (before) return await write(before.portBase);
  return await locked(host, `ports-${id}`, signal, async () => {
    const taken = (await records.list()).records.filter((other) => other.host === id).map(({ portBase }) => portBase);
    return await write(await freeBlock(host.ports, taken));
  });
}
