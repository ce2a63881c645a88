/**
 * How long workflow code may take in one go. The SDK's own 5 s are wall-clock time, and the worker's process does not survive their end:
 * half a second of work takes as long on a machine that is short of CPU, and any work on one that is stopped meanwhile. None of our loops
 * is endless, so no work has to be cut short.
 *
 * The SDK accepts the option without documenting it. `test/worker/workflow-patience.test.ts` fails if it no longer does.
 */
export const WORKFLOW_PATIENCE = { isolateExecutionTimeout: '24h' };
