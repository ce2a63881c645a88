import { existsSync } from 'node:fs';
import type { Ref } from '../../activities/git-model';
import type { Git } from '../../activities/git-port';
import { runRefs } from '../../plan/run/run-ref';
import { duration } from '../../plan/text/duration';
import { runRefsOf, sourceRepository } from './host-repository';
import { isUrl } from './is-url';
import type { Whose } from './judge-worktree';
import { orUndefined } from './or-undefined';
import { type RefNote, refNotes } from './ref-notes';
import type { AskRunLife, RunLife } from './run-life';
import type { RunRefs } from './run-refs';
import type { Swept } from './swept';

/**
 * Removes the refs of runs that ended long ago. Invariants: 1. a repository may have refs of runs of others, so only those of runs are
 * removed that this host has made worktrees for; 2. the run's own server is asked, also once more before they go; 3. a run that it does not
 * know counts from when that was first seen; 4. a ref that moves meanwhile is left.
 */
export interface RefPorts extends Whose {
  root: string;
  git: Git;
  lifeOf: AskRunLife;
}

export interface RefOrder {
  nowMs: number;
  keepRefsMs: number;
  dryRun?: boolean;
}

export async function sweepRefs(ports: RefPorts, order: RefOrder, signal: AbortSignal): Promise<Swept[]> {
  const { host, storeId, namespace } = ports;
  const swept: Swept[] = [];
  for (const note of await refNotes(ports.root).list()) {
    signal.throwIfAborted();
    if (note.host !== host || note.storeId !== storeId || note.namespace !== namespace) continue;
    try {
      const found = await sweepNote(ports, note, order, signal);
      if (found) swept.push(found);
    } catch (error) {
      signal.throwIfAborted();
      swept.push({ ...nameOf(note), done: 'failed', why: error instanceof Error ? error.message : String(error) });
    }
  }
  return swept;
}

async function sweepNote(ports: RefPorts, note: RefNote, order: RefOrder, signal: AbortSignal): Promise<Swept | undefined> {
  const notes = refNotes(ports.root);
  if (note.endedAt !== undefined && order.nowMs - Date.parse(note.endedAt) < order.keepRefsMs) return undefined;
  const endedAt = endOf(await ports.lifeOf(note), note, order.nowMs);
  if (endedAt !== note.endedAt && !order.dryRun) {
    const { endedAt: _before, ...open } = note;
    await notes.write(endedAt === undefined ? open : { ...open, endedAt });
  }
  if (endedAt === undefined || order.nowMs - Date.parse(endedAt) < order.keepRefsMs) return undefined;
  // They cannot be reached from here any more.
  if (!existsSync(isSource(note) ? note.repository : note.checkout)) {
    if (!order.dryRun) await notes.remove(note);
    return undefined;
  }
  const there = await refsOf(ports.git, note, signal);
  const refs = await there.list(runRefs(note.run));
  const left = order.dryRun ? [] : await removeRefs(there, refs);
  if (left.length > 0) return { ...nameOf(note), done: 'failed', why: left.join('; ') };
  if (!order.dryRun) await notes.remove(note);
  const why = `its run ended ${duration(order.nowMs - Date.parse(endedAt))} ago`;
  return refs.length === 0 ? undefined : { ...nameOf(note), done: 'removed', why };
}

function nameOf({ run, workflowId, repository }: RefNote): Pick<Swept, 'kind' | 'what' | 'run' | 'workflowId'> {
  return { kind: 'refs', what: `${runRefs(run)} in ${repository}`, run, workflowId };
}

function endOf(life: RunLife, { endedAt }: RefNote, nowMs: number): string | undefined {
  switch (life.kind) {
    case 'open':
      return undefined;
    case 'ended':
      return new Date(life.atMs).toISOString();
    case 'unknown':
      return endedAt ?? new Date(nowMs).toISOString();
  }
}

/** Where the run refs are: in a repository on this host, in a remote of a checkout, or at the URL that it is a clone of. */
async function refsOf(git: Git, note: RefNote, signal: AbortSignal): Promise<RunRefs> {
  if (isSource(note)) {
    const source = await sourceRepository({ git }, note, signal);
    return runRefsOf({ git }, { source }, source, signal);
  }
  const clone = await git.repositories.open(note.checkout, signal);
  return runRefsOf({ git }, { url: await urlOf(git, note, signal) }, clone, signal);
}

/** Whether the refs are in a repository on this host: its clone is not needed to remove them. */
export function isSource({ repository, remote }: Pick<RefNote, 'repository' | 'remote'>): boolean {
  return remote === undefined && !isUrl(repository);
}

/** The URL with its credentials, if the checkout still has it: somebody may have changed it there. */
async function urlOf(git: Git, { remote, repository: identity }: RefNote, signal: AbortSignal): Promise<string> {
  if (!remote) return identity;
  const checkout = await orUndefined('not-a-repository', git.repositories.open(remote.checkout, signal));
  const url = checkout && (await git.remotes.url(checkout, remote.name, signal));
  return url !== undefined && git.remotes.identity(url) === identity ? url : identity;
}

/** Removes refs; returns those that could not be removed, with the reason. */
async function removeRefs({ swap }: RunRefs, refs: readonly Ref[]): Promise<string[]> {
  const left: string[] = [];
  for (const ref of refs) {
    try {
      if ((await swap({ ref: ref.name, from: ref.id, to: undefined })).kind === 'stale') left.push(`${ref.name} has moved`);
    } catch (error) {
      left.push(`${ref.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return left;
}
