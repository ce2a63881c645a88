/** No Temporal server can be had. `tried` has a line for each way, in the order they were tried; the command line answers with exit code 4. */
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
