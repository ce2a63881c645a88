/**
 * Hosts whose workers take no new work until somebody takes that back, over all that share a store.
 *
 * Requires of the store: what is written by one user is read by all the others from then on, and survives a crash. It fails with
 * `store.unavailable`, which does not mean that no host is drained.
 */
export interface DrainedHosts {
  /** The first of several who drain a host is the one who is named. */
  drain(host: string, by: string): Promise<void>;
  /** False if it was not drained. */
  undrain(host: string): Promise<boolean>;
  list(): Promise<DrainedHost[]>;
}

export interface DrainedHost {
  host: string;
  by: string;
  /** ISO 8601. */
  since: string;
}
