/**
 * How long workflow code may take in one go. The SDK's own 5 s are wall-clock time, which half a second of work takes on a machine that is short
 * of CPU, and the worker's process does not survive it. No loop of ours is endless: what takes so long is the machine.
 *
 * The SDK takes the option and does not name it among its own. `test/worker/workflow-patience.test.ts` fails where it takes it no more.
 */
export const WORKFLOW_PATIENCE = { isolateExecutionTimeout: '60s' };
