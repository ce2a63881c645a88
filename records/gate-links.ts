import type { GateLink } from '../plan/people/notice';

/**
 * Gates by the key that messages carry, for the listener that takes the answers. Who has a key may see its gate, so keys are secret: they
 * leave the store only in messages.
 *
 * Requires of the store: read-after-write, from any process. Fails with `store.unavailable`.
 */
export interface GateLinks {
  /** @param key at most 64 characters of `[A-Za-z0-9_-]` */
  put(key: string, link: GateLink): Promise<void>;
  /** Undefined if no gate has that key. */
  find(key: string): Promise<GateLink | undefined>;
}
