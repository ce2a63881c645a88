import { failuresOf } from '../workflows/temporal/failure-converter';

/** For activities and workflow tasks, by its path: messages and stacks of failures go through the codec. Workflow code has its own. */
export const failureConverter = failuresOf(true);
