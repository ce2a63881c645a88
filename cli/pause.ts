import { setTimeout as wait } from 'node:timers/promises';

/** Waits, and no longer than until the signal is aborted, at which its caller looks. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
