import { DefaultFailureConverter } from '@temporalio/common';

/** For activities, by its path: messages and stacks of failures go through the codec, as payloads. Workflow code has one of its own. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
