import type { Configuration } from '../settings/configuration';
import { recordsOf } from '../settings/records';
import { requireSharedKey } from '../settings/store-settings';

/**
 * What a process needs before it works on runs, so that it ends before it has begun anything. Fails with `settings.invalid`,
 * `store.unavailable`, `secret.missing`.
 */
export async function requireStore(configuration: Configuration): Promise<void> {
  requireSharedKey(configuration);
  await recordsOf(configuration).ready();
}
