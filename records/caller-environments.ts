/** The environment in which a run was requested: what the commands of a Lobster file see. */
export interface CallerEnvironment {
  env: Readonly<Record<string, string>>;
  /** Absent: wherever the worker is. */
  cwd?: string;
}

/**
 * Callers by workflow id. They contain the environment of the caller's shell, so they are kept from history, logs and other users.
 *
 * Requires of the store: create-if-absent, read-after-write, listing by prefix.
 */
export interface CallerEnvironments {
  /** If none was left for the run: the worker's own environment, without Thermidor's variables. Fails with `store.unavailable`. */
  callerOf(workflowId: string): Promise<CallerEnvironment>;
  /** Gives a child run its parent's caller, unless it has its own. */
  inherit(workflowId: string, parent: string): Promise<void>;
}

/** The port of the side that starts a run. */
export interface EnvironmentStore extends CallerEnvironments {
  /** Replaces an earlier one of the run. */
  write(workflowId: string, caller: { env: NodeJS.ProcessEnv; cwd?: string }): Promise<void>;
  /** Also removes what its children inherited: their ids begin with the run's and a full stop. */
  remove(workflowId: string): Promise<void>;
}
