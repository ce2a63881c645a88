import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { HostWorktrees } from '../../activities/worktree-port';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import type { HostPresence } from '../../records/host-presence';
import { leadsNowhere } from '../work-folder';
import { closeWorktree } from './close-worktree';
import { bringCommits, hostRepository, runRefsOf } from './host-repository';
import { pushWorktree, restoreWorktree, saveWorktree } from './kept-worktree';
import { openWorktree } from './open-worktree';
import { resolveWorktree } from './resolve-worktree';
import { updateWorktree } from './update-worktree';
import { type WorktreeHostOptions, worktreeHost } from './worktree-host';

export interface HostWorktreesOptions extends WorktreeHostOptions {
  presence: HostPresence;
}

/** The worktrees of this host: `activities/worktree-port.ts` says what each call does. */
export function createHostWorktrees({ presence, ...options }: HostWorktreesOptions): HostWorktrees {
  const host = worktreeHost(options);
  return {
    host: () => host.id(),
    ...defined({ silentMs: options.settings.silentMs }),
    announce: async (says) => presence.announce(await host.id(), says),
    isAlive: (id) => presence.isAlive(id),
    resolve: (wanted, signal) => resolveWorktree(host, wanted, signal),
    async pushed(plan, ref, signal) {
      const origin = await hostRepository(host, plan, signal);
      const found = await runRefsOf(host, origin, origin.repository, signal).list(ref.slice(0, ref.lastIndexOf('/') + 1));
      const commit = found.find(({ name }) => name === ref)?.id;
      if (commit !== undefined) await bringCommits(host, origin, [commit], signal);
      return commit;
    },
    open: (at, plan, commit, setup, signal) => openWorktree(host, at, plan, commit, setup, signal),
    folderIn: folderInWorktree,
    restore: (at, plan, commit, signal) => restoreWorktree(host, at, plan, commit, signal),
    save: (at, plan, commit, signal) => saveWorktree(host, at, plan, commit, signal),
    update: (at, plan, to, signal) => updateWorktree(host, at, plan, to, signal),
    push: (at, plan, signal) => pushWorktree(host, at, plan, signal),
    close: (at, plan, teardown, signal) => closeWorktree(host, at, plan, teardown, signal),
  };
}

/** The folder that a step names, within its worktree: no path and no link leads out of it. Fails with `agent.no-folder`. */
async function folderInWorktree(tree: string, named: string): Promise<string> {
  const refused = (why: string) =>
    new ThermidorFailure('agent.no-folder', `the folder ${JSON.stringify(named)} ${why}; \`cwd\` is relative to the worktree's root`);
  if (isAbsolute(named) || !isBelow(tree, resolve(tree, named))) throw refused("is not within the step's worktree");
  const real = await realpath(resolve(tree, named)).catch((error: unknown) => {
    if (leadsNowhere(error)) throw refused("is not in the step's worktree");
    throw error;
  });
  if (!isBelow(tree, real)) throw refused("leads out of the step's worktree");
  return real;
}

function isBelow(tree: string, folder: string): boolean {
  const way = relative(tree, folder);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
