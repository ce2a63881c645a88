import type { Log } from '../../activities/log';
import type { HostWorktrees } from '../../activities/worktree-port';

/** A worker's duties for the worktrees of its host while it runs. */
export interface HostWork {
  host: string;
  /** Gives no signs of life any more. Never fails. */
  stop(): Promise<void>;
}

/** Undefined if this host has no worktrees, which its log says: everything else works without them. */
export async function beginHostWork(worktrees: HostWorktrees | undefined, log: Log): Promise<HostWork | undefined> {
  if (!worktrees) return undefined;
  try {
    const host = await worktrees.host();
    const stop = await worktrees.announce();
    const unsaid = (error: unknown) => log('warn', 'the stop of this host could not be recorded', { host, problem: String(error) });
    return { host, stop: () => stop().catch(unsaid) };
  } catch (error) {
    log('warn', 'this worker takes no steps in worktrees', { problem: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}
