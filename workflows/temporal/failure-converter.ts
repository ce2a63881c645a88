import { DefaultFailureConverter } from '@temporalio/common';

/** Workflow code has no settings: a worker that seals payloads changes this word as it loads the code (`worker/promise-traces.ts`). */
const FAILURES: string = 'failures of thermidor: plain';

/** The SDK's own. Where payloads are sealed, the messages and stacks of failures are payloads, too. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: FAILURES.endsWith('sealed') });
