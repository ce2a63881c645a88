/**
 * How long workflow code may take in one go. The SDK's own 5 s are wall-clock time, which half a second of work takes on a machine that is
 * short of CPU, and the worker's process does not survive it. None of our loops is endless: only a slow machine takes so long.
 *
 * The SDK accepts the option without documenting it. `test/worker/workflow-patience.test.ts` fails if it no longer does.
 */
export const WORKFLOW_PATIENCE = { isolateExecutionTimeout: '60s' };
