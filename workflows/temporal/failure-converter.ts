import { DefaultFailureConverter, type FailureConverter } from '@temporalio/common';
import { isOpenMessage } from '../../plan/run/open-messages';

/** Workflow code has no settings: a worker that seals payloads changes this word as it loads the code (`worker/promise-traces.ts`). */
const FAILURES: string = 'failures of thermidor: plain';

/** The SDK's own. Where payloads are sealed, the messages and stacks of failures are payloads, too. */
export function failuresOf(areSealed: boolean): FailureConverter {
  const plain = new DefaultFailureConverter();
  if (!areSealed) return plain;
  const sealed = new DefaultFailureConverter({ encodeCommonAttributes: true });
  return {
    failureToError: (failure, converter, context) => plain.failureToError(failure, converter, context),
    errorToFailure: (error, converter, context) =>
      (error instanceof Error && isOpenMessage(error.message) ? plain : sealed).errorToFailure(error, converter, context),
  };
}

export const failureConverter = failuresOf(FAILURES.endsWith('sealed'));
