import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Tries things in the state folder, or, if there is none yet, in a temporary folder next to its place, because a check leaves nothing
 * behind. If that cannot be made either, tries the state folder, whose failure gives the reason.
 */
export async function inTrialFolder<T>(stateDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  if (existsSync(stateDir)) return await work(stateDir);
  const trial = await mkdtemp(join(dirname(stateDir), '.thermidor-doctor-')).catch(() => undefined);
  if (trial === undefined) return await work(stateDir);
  try {
    return await work(trial);
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}
