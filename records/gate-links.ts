import type { GateNotice } from '../plan/people/notice';

/** What a button or a link in a message answers. */
export interface GateLink extends GateNotice {
  run: string;
  channel: string;
  /** Whose clock its times are shown by. @default 'UTC' */
  zone?: string;
}

/** Gates by the key that messages carry, for the listener that takes the answers. Asks of the store: read-after-write, from any process. Fails with `store.unavailable`. */
export interface GateLinks {
  /** The same gate has the same key; nobody can guess it. At most 64 characters of `[A-Za-z0-9_-]`. */
  keyFor(link: GateLink): Promise<string>;
}
