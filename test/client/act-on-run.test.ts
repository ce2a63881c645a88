import { WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { refusalByRun } from '../../client/act-on-run';

const GATE = { step: 'approve', kind: 'approval', choices: ['approve', 'reject'] };

test('a refused update carries its outcome, and the open gates once', () => {
  const cause = ApplicationFailure.nonRetryable('eve may not decide (open gates: approve)', 'signal.refused', { gates: [GATE] });
  const problem = refusalByRun(new WorkflowUpdateFailedError('update failed', cause), 'r', 'approve');
  expect(problem).toMatchObject({ code: 'signal.refused', message: 'eve may not decide' });
  expect(problem?.more.details).toEqual({ outcome: 'refused', gates: [GATE] });
  expect(problem?.more.hint).toContain('approve');
});

test.each(['early', 'late', 'duplicate', 'misdirected', 'unreadable'])('the outcome "%s" is kept', (outcome) => {
  const cause = ApplicationFailure.nonRetryable('no', `signal.${outcome}`, { gates: [] });
  expect(refusalByRun(new WorkflowUpdateFailedError('update failed', cause), 'r', 'approve')?.more.details).toMatchObject({ outcome });
});

test('details of another shape are no gates', () => {
  const cause = ApplicationFailure.nonRetryable('no', 'something', 'text');
  expect(refusalByRun(new WorkflowUpdateFailedError('update failed', cause), 'r', 'x')?.more.details).toEqual({
    outcome: 'refused',
    gates: [],
  });
});

test('an order to a run that has ended says so', () => {
  expect(refusalByRun(new WorkflowNotFoundError('gone', 'r', undefined), 'r', 'approve')?.code).toBe('run.ended');
  const cause = ApplicationFailure.nonRetryable('completed', 'AcceptedUpdateCompletedWorkflow');
  expect(refusalByRun(new WorkflowUpdateFailedError('failed', cause), 'r', 'abort')?.code).toBe('run.ended');
});

test('an order to a team that is stopped says how to start it', () => {
  const hint = refusalByRun(new WorkflowNotFoundError('gone', 'r', undefined), 'team-crew', 'task')?.more.hint;
  expect(hint).toContain('thermidor team start crew');
});

test('an order that no worker took says that a worker is missing', () => {
  expect(refusalByRun(new WorkflowUpdateRPCTimeoutOrCancelledError('timed out'), 'r', 'approve')?.code).toBe('worker.missing');
});

test('any other error is rethrown', () => {
  expect(refusalByRun(new TypeError('bug'), 'r', 'approve')).toBeUndefined();
});
