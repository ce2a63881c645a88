import { ServiceError } from '@temporalio/client';
import { IllegalStateError, WorkflowNotFoundError } from '@temporalio/common';
import { TransportError } from '@temporalio/worker';
import { ClientProblem } from '../../client/client-problem';
import { asProblem } from '../../client/server-error';

const AT = { address: 'localhost:7233', namespace: 'default' };

function grpc(code: number, details = ''): Error {
  const cause = Object.assign(new Error(details), { code, details, metadata: {} });
  return new ServiceError('the request failed', { cause });
}

test.each([
  [4, '', 'server.unreachable'],
  [1, 'context deadline exceeded', 'server.unreachable'],
  [9, 'no poller seen for task queue recently, worker may be down', 'worker.missing'],
  [9, 'Unable to query workflow due to Workflow Task in failed state.', 'worker.missing'],
  [7, 'denied', 'server.refused'],
  [16, 'no key', 'server.refused'],
  [8, 'too many', 'server.refused'],
  [14, 'gone', 'server.unreachable'],
])('gRPC status %i (%s) is %s', (code, details, problem) => {
  expect(asProblem(grpc(code, details), AT)?.code).toBe(problem);
});

test('what says something of a run, and what is a bug, is left to the callers', () => {
  expect(asProblem(new WorkflowNotFoundError('gone', 'r', undefined), AT)).toBeUndefined();
  for (const bug of [new Error('bug'), new TypeError('x is undefined'), 'text', undefined]) expect(asProblem(bug, AT)).toBeUndefined();
  for (const code of ['ENOSPC', 'ENOENT', 'EACCES', 'ERR_INVALID_ARG_TYPE'])
    expect(asProblem(Object.assign(new Error(code), { code }), AT)).toBeUndefined();
  expect(asProblem(new IllegalStateError('cannot run a worker twice'), AT)).toBeUndefined();
});

test('a namespace that the server does not have is named', () => {
  const problem = asProblem(grpc(5, 'Namespace default is not found.'), AT);
  const atStart = 'Namespace default was not found or otherwise could not be described: Status { code: NotFound, message: "gone" }';
  for (const named of [problem, asProblem(new TransportError(atStart), AT)])
    expect(named).toMatchObject({ code: 'server.refused', message: expect.stringContaining('no namespace "default"') });
});

test('a worker that finds no server says why in few words', () => {
  const said = 'tonic::transport::Error(Transport, ConnectError(Os { code: 111, kind: ConnectionRefused, message: "Connection refused" }))';
  expect(asProblem(new TransportError(said), AT)?.message).toBe(
    'the Temporal server at localhost:7233 does not answer: Connection refused',
  );
});

test.each([
  ['The caller does not have permission to execute the specified operation', 'Request unauthorized.'],
  ['The request does not have valid authentication credentials', 'Jwt is expired'],
])('a worker that the server refuses says so, and not that nobody answers: %s', (status, why) => {
  expect(asProblem(new TransportError(`Failed to call GetSystemInfo: code: '${status}', message: "${why}"`), AT)).toMatchObject({
    code: 'server.refused',
    message: `the server at localhost:7233 refused access to namespace "default": ${why}`,
  });
});

test('a problem stays the problem it is', () => {
  const problem = new ClientProblem('run.ended', 'over');
  expect(asProblem(problem, AT)).toBe(problem);
});
