import { isTaskFailure } from '../../client/grpc-retries';

const said = (code: number, details: string): boolean => isTaskFailure({ code, details });

test.each([
  [9, 'Unable to perform workflow execution update due to Workflow Task in failed state.'],
  [9, 'Cannot query workflow due to Workflow Task in failed state.'],
])('tasks of the run fail at the moment: the request is made again (%i, %s)', (code, details) => {
  expect(said(code, details)).toBe(true);
});

test.each([
  [9, 'no poller seen for task queue recently'],
  [3, 'Workflow Task in failed state'],
  [5, 'workflow execution already completed'],
])('anything else is the SDK’s business (%i, %s)', (code, details) => {
  expect(said(code, details)).toBe(false);
});
