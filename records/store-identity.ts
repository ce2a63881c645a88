/**
 * Which store this is, and whose.
 *
 * Requires of the store: create-if-absent. All but `storeId` fail with `store.unavailable`.
 */
export interface StoreIdentity {
  /** The id that all who share the store have, and no others: what belongs to its runs elsewhere, such as worktrees, carries this id. */
  storeId(): Promise<string>;
  /** Whether the store of that id is gone, and with it the runs that it had. */
  isGone(storeId: string): Promise<boolean>;
  /** The id of the installation, a UUID, which tells what is its own on a server that several share. It is made by the first who asks. */
  installation(): Promise<string>;
  /** Undefined if the store has none yet, which owns nothing. */
  knownInstallation(): Promise<string | undefined>;
  /** Fails if what this process has used is gone, or another is in its place. Cheap. */
  check(): void;
}
