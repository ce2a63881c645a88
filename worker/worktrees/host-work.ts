import type { Log } from '../../activities/log';
import type { HostLife } from '../../activities/worktree-port';
import type { SaysOfItself } from '../../records/host-presence';

/** What a worker owes to what only its host has, while it runs. */
export interface HostWork {
  host: string;
  /** Gives no signs of life any more. Never fails. */
  stop(): Promise<void>;
}

/**
 * Undefined if this host has nothing of its own, or cannot say who it is, which its log says: everything else works without it.
 *
 * @param says what the worker says of itself with each sign of life
 */
export async function beginHostWork(life: HostLife | undefined, says: SaysOfItself, what: string, log: Log): Promise<HostWork | undefined> {
  if (!life) return undefined;
  try {
    const host = await life.host();
    const stop = await life.announce(says);
    const unsaid = (error: unknown) => log('warn', 'the stop of this host could not be recorded', { host, problem: String(error) });
    return { host, stop: () => stop().catch(unsaid) };
  } catch (error) {
    log('warn', `this worker takes no steps that stay with ${what}`, { problem: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}
