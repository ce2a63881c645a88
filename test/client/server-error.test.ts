import { ServiceError } from '@temporalio/client';
import { ClientProblem } from '../../client/problem';
import { asProblem } from '../../client/server-error';

const AT = { address: 'localhost:7233', namespace: 'default' };

function grpc(code: number, details = ''): Error {
  const cause = Object.assign(new Error(details), { code, details, metadata: {} });
  return new ServiceError('the request failed', { cause });
}

test.each([
  [4, '', 'worker.missing'],
  [9, 'no poller seen for task queue recently, worker may be down', 'worker.missing'],
  [9, 'Unable to query workflow due to Workflow Task in failed state.', 'worker.missing'],
  [7, 'denied', 'server.refused'],
  [16, 'no key', 'server.refused'],
  [8, 'too many', 'server.refused'],
  [14, 'gone', 'server.unreachable'],
])('gRPC status %i (%s) is %s', (code, details, problem) => {
  expect(asProblem(grpc(code, details), AT)?.code).toBe(problem);
});

test('not found, invalid and unknown errors are left to their callers', () => {
  expect(asProblem(grpc(5), AT)).toBeUndefined();
  expect(asProblem(grpc(9, 'workflow is paused'), AT)).toBeUndefined();
  expect(asProblem(new Error('bug'), AT)).toBeUndefined();
});

test('a problem stays the problem it is', () => {
  const problem = new ClientProblem('run.ended', 'over');
  expect(asProblem(problem, AT)).toBe(problem);
});
