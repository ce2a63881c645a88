/**
 * No Temporal server is available. `tried` has a line for each way, in the order they were tried; the command line answers with exit code
 * 4.
 */
export class ServerUnavailable extends Error {
  override readonly name = 'ServerUnavailable';
  constructor(
    message: string,
    readonly tried: readonly string[] = [],
    readonly hint?: string,
  ) {
    super(message);
  }
}

/**
 * No server is available because the state directory is full, read-only, or not ours to write to: nobody joins a server or leaves one
 * there.
 */
export class StateUnwritable extends ServerUnavailable {
  constructor(root: string, error: unknown) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = 'choose another one with --state-dir, free some space, or fix its permissions';
    super(`the state directory ${root} can't be written`, [reason], hint);
  }
}
