import { TimeoutFailure, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, RetryState, TerminatedFailure, TimeoutType } from '@temporalio/common';
import { endOutput, outcomeOfError, outcomeOfResult } from '../../client/outcome';
import { jsonText, parseJson } from '../../plan/text/json-text';

const closedBy = (cause: Error): WorkflowFailedError => new WorkflowFailedError('closed', cause, RetryState.NON_RETRYABLE_FAILURE);

test('a result says whether the run completed or was rejected', () => {
  expect(outcomeOfResult({ status: 'completed', output: 1, artifacts: {} })).toEqual({ state: 'completed', output: 1, artifacts: {} });
  expect(outcomeOfResult({ status: 'rejected', output: null, artifacts: {}, reason: 'no' })).toMatchObject({
    state: 'rejected',
    reason: 'no',
  });
});

test('its output is written as it came', () => {
  for (const output of ['1.10', '1234567890123456789', '{"v":1.10}'])
    expect(jsonText(endOutput(outcomeOfResult(parseJson(`{"status":"completed","output":${output}}`))))).toBe(output);
});

test('a workflow of another make that gave something else has completed', () => {
  expect(outcomeOfResult(undefined)).toEqual({ state: 'completed' });
});

test('the type of an application failure is the code', () => {
  const failure = ApplicationFailure.nonRetryable('the model refused', 'model.refused');
  expect(outcomeOfError(closedBy(failure))).toEqual({ state: 'failed', error: { code: 'model.refused', message: 'the model refused' } });
});

test('cancelled, terminated and timed out are distinguished', () => {
  expect(outcomeOfError(closedBy(new CancelledFailure('cancelled')))).toEqual({ state: 'cancelled' });
  expect(outcomeOfError(closedBy(new TerminatedFailure('stopped by hand')))).toMatchObject({ error: { code: 'terminated' } });
  const late = new TimeoutFailure('late', undefined, TimeoutType.START_TO_CLOSE);
  expect(outcomeOfError(closedBy(late))).toMatchObject({ error: { code: 'timeout' } });
});

test('an error that does not come from the workflow says nothing about how it ended', () => {
  expect(outcomeOfError(new Error('connection lost'))).toBeUndefined();
});
