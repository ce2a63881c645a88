import { existsSync } from 'node:fs';
import { createGit } from '../../activities/adapters/git/git';
import type { Log } from '../../activities/log';
import { isNewestEpoch } from '../../activities/worktrees/epochs';
import type { Records } from '../../records/records';
import { hostId } from './host-id';
import { type JanitorPorts, type SweepReport, sweepWorktrees } from './janitor';
import { runLifeOnServer, type ServerConnection } from './run-life';
import { DEFAULT_KEEP_REFS_DAYS, type GitAccess, type WorktreeSettings } from './worktree-settings';

/** The janitor of this host, for the runs of one store on one server. */
export interface JanitorOptions {
  worktrees: WorktreeSettings;
  git: GitAccess;
  records: Pick<Records, 'identity' | 'ledger'>;
  namespace: string;
  server: ServerConnection;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const EVERY_MS = HOUR_MS;
/** Steps that were cancelled with their run may still be at work. */
const ENDED_MS = HOUR_MS;
/** How old the worktree of a run is removed that the server does not know. */
export const UNKNOWN_MS = 7 * DAY_MS;

/** Undefined if this host has no folder of worktrees, and so nothing to remove. */
export async function janitorPorts({ worktrees, git, records, ...options }: JanitorOptions): Promise<JanitorPorts | undefined> {
  const { folder: root } = worktrees;
  if (!existsSync(root)) return undefined;
  return {
    root,
    host: await hostId(root),
    storeId: await records.identity.storeId(),
    isGone: (storeId) => records.identity.isGone(storeId),
    namespace: options.namespace,
    git: createGit({ environment: process.env, ...git }),
    lifeOf: runLifeOnServer(options.server, options.namespace),
    isNewest: (record) => isNewestEpoch(records.ledger, record, record.slot, record.epoch),
    takenSince: new Map(),
  };
}

export function keepRefsMs({ keepRefsDays = DEFAULT_KEEP_REFS_DAYS }: WorktreeSettings): number {
  return keepRefsDays * DAY_MS;
}

/** Sweeps now and every hour, alongside the worker's work: it neither delays nor fails anything. Returns the function that ends it. */
export function startJanitor(options: JanitorOptions, log: Log): () => Promise<void> {
  const order = { endedMs: ENDED_MS, unknownMs: UNKNOWN_MS, keepRefsMs: keepRefsMs(options.worktrees) };
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let ports: JanitorPorts | undefined;
  const sweep = async (): Promise<void> => {
    try {
      ports ??= await janitorPorts(options);
      if (ports) tell(await sweepWorktrees(ports, { ...order, nowMs: Date.now() }, signal), log);
    } catch (error) {
      // Another worker of this host sweeps, or this one stops.
      const isOrdinary = signal.aborted || (error instanceof Error && error.name === 'LockHeld');
      log(isOrdinary ? 'debug' : 'warn', 'worktrees could not be searched', { error: String(error) });
    }
    if (!signal.aborted) timer = setTimeout(next, EVERY_MS).unref();
  };
  let last = Promise.resolve();
  const next = (): void => {
    last = sweep();
  };
  next();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await last;
  };
}

function tell({ swept, unreadable }: SweepReport, log: Log): void {
  for (const { kind, what, done, why } of swept) {
    if (done === 'removed') log('info', `removed ${kind} ${what}`, { why });
    if (done === 'failed') log('warn', `${kind} ${what} could not be removed; the next try is in an hour`, { why });
  }
  for (const { path, reason } of unreadable) log('warn', 'the record of a worktree cannot be used', { path, reason });
}
