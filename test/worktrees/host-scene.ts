import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenWorktree, Setup, WantedWorktree, WorktreePlace, WorktreePlan } from '../../activities/worktree-port';
import type { ClosedWorktree } from '../../plan/run/worktree';
import { hostId } from '../../worker/worktrees/host-id';
import { createHostWorktrees, type HostWorktreesOptions } from '../../worker/worktrees/host-worktrees';
import type { WorktreeHostOptions } from '../../worker/worktrees/worktree-host';
import { worktreeRecords } from '../../worker/worktrees/worktree-records';
import { never, newGit, newRepository, SIGNATURE, scratchFolder } from '../git/scene';

export const SAVE = { message: 'work', signature: SIGNATURE };
export const PORTS = { from: 42_000, to: 42_999, block: 10 };
export const KEY = { workflowId: 'Build/1', run: '7d1f2c0e-0000-4000-8000-000000000001' };
export const noSetup: Setup = () => Promise.resolve();

export const place = (slot = 'build', epoch = 1, run = KEY.run): WorktreePlace => ({ key: { ...KEY, run }, slot, epoch });

/** The place of a host with this folder of worktrees. Its worker runs in `workFolder`. */
export function hostOptions(root: string, workFolder: string): WorktreeHostOptions {
  return {
    git: newGit(),
    settings: { folder: root, ports: PORTS },
    id: () => hostId(root),
    storeId: async () => '/state',
    namespace: 'default',
    taskQueue: 'thermidor',
    workFolder,
    environment: { PATH: process.env['PATH'] },
  };
}

/** A host with its own folder of worktrees. Its worker runs in `workFolder`. */
export function newHost(workFolder: string, options: Partial<HostWorktreesOptions> = {}) {
  const root = options.settings?.folder ?? join(scratchFolder(), 'worktrees');
  const worktrees = createHostWorktrees({
    ...hostOptions(root, workFolder),
    presence: { isAlive: async () => true, announce: async () => () => Promise.resolve(), workers: async () => [] },
    ...options,
  });
  return { root, worktrees, records: worktreeRecords(root) };
}

/** The only clone of a host. */
export function cloneIn(root: string): string {
  return join(root, 'clones', readdirSync(join(root, 'clones'))[0] ?? '');
}

export type Host = ReturnType<typeof newHost>;

export interface Opened extends Host {
  folder: string;
  plan: WorktreePlan;
  tree: OpenWorktree;
  at: WorktreePlace;
  /** Opens the worktree again, or at another commit. */
  open(commit?: string, setup?: Setup): Promise<OpenWorktree>;
  save(): Promise<string>;
  close(teardown?: Setup): Promise<ClosedWorktree>;
}

/** Opens a worktree of a new repository, unless a folder is given. */
export async function opened(
  wanted: WantedWorktree = {},
  { folder = newRepository(), host = newHost(folder), at = place() } = {},
): Promise<Opened> {
  const { worktrees } = host;
  const plan = await worktrees.resolve(wanted, never);
  const open = (commit = plan.base, setup = noSetup) => worktrees.open(at, plan, commit, setup, never);
  return {
    ...host,
    folder,
    plan,
    at,
    tree: await open(),
    open,
    save: () => worktrees.save(at, plan, SAVE, never),
    close: (teardown = noSetup) => worktrees.close(at, plan, teardown, never),
  };
}
