import { Metadata } from '@grpc/grpc-js';
import { QueryNotRegisteredError } from '@temporalio/client';
import type { ThermidorClient } from '../../client/connect';
import { readGates } from '../../client/read-run';
import { STILL_OPENING } from '../../plan/run/status';

/** A client whose run refuses so many queries before it answers. */
function clientOf(refusals: number, reason: string): { client: ThermidorClient; asked(): number } {
  let asked = 0;
  const query = async () => {
    asked += 1;
    if (asked <= refusals) throw new QueryNotRegisteredError(reason, 3);
    return [];
  };
  const client = { address: 'here', call: (request: () => unknown) => request(), temporal: { workflow: { getHandle: () => ({ query }) } } };
  return { client: client as unknown as ThermidorClient, asked: () => asked };
}

test('a run that is opening is asked again until it answers', async () => {
  const { client, asked } = clientOf(2, STILL_OPENING);
  await expect(readGates(client, 'r')).resolves.toEqual([]);
  expect(asked()).toBe(3);
});

test('a run that does not know the query is asked once', async () => {
  const { client, asked } = clientOf(1, 'no such query');
  await expect(readGates(client, 'r')).rejects.toMatchObject({ code: 'run.unreadable' });
  expect(asked()).toBe(1);
});

test('a run that was ended before a worker began it says so, to each command that asks', async () => {
  const details = 'Workflow execution closed before WorkflowTaskStarted event';
  const query = async () => {
    throw Object.assign(new Error(`9 FAILED_PRECONDITION: ${details}`), { code: 9, details, metadata: new Metadata() });
  };
  const client = { address: 'here', call: (request: () => unknown) => request(), temporal: { workflow: { getHandle: () => ({ query }) } } };
  await expect(readGates(client as unknown as ThermidorClient, 'r')).rejects.toMatchObject({
    ...{ code: 'run.unreadable', message: 'run "r" was ended before a worker began it' },
  });
});
