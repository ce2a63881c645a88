import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Tries things in the state folder; when there is none yet, in a folder next to its place that is removed afterwards, because a check leaves
 * nothing behind. When that cannot be made either, in the state folder, whose failure says why.
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
