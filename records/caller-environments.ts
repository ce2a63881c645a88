/** Where a run was asked for: what the commands of a Lobster file see. */
export interface CallerEnvironment {
  env: Readonly<Record<string, string>>;
  /** Absent: wherever the worker is. */
  cwd?: string;
}

/**
 * Callers by workflow id. They hold what the caller's shell held, so they are kept from history, logs and other users.
 *
 * Asks of the store: create-if-absent, read-after-write, listing by prefix.
 */
export interface CallerEnvironments {
  /** Where none was left for the run: the worker's own environment, without what is Thermidor's. Fails with `store.unavailable`. */
  callerOf(workflowId: string): Promise<CallerEnvironment>;
  /** A child run gets what its parent has, unless it has its own. */
  inherit(workflowId: string, parent: string): Promise<void>;
}

/** As the side that starts a run has it. */
export interface EnvironmentStore extends CallerEnvironments {
  /** Replaces what was left for the run before. */
  write(workflowId: string, caller: { env: NodeJS.ProcessEnv; cwd?: string }): Promise<void>;
  /** Also what its children inherited: their ids begin with the run's and a full stop. */
  remove(workflowId: string): Promise<void>;
}
