import { type Joining, joinDeployment } from '../../worker/join-deployment';
import { FakeDeployments, grpcError } from './fake-deployments';

async function joined(versions: Joining['versions'], failure?: Error) {
  const server = new FakeDeployments();
  if (failure) server.failures['describe'] = failure;
  const logged: string[] = [];
  const { connection } = server;
  const place = { connection, namespace: 'n', taskQueue: 'q.x:y%', buildId: 'app+a', identity: 'me' };
  const named = await joinDeployment({ ...place, versions, log: (level, message) => logged.push(`${level} ${message}`) });
  return { named, logged };
}

const VERSION = { deploymentName: 'q%2Ex%3Ay%25', buildId: 'app+a' };

test.each([
  ['auto', 'AUTO_UPGRADE'],
  ['pinned', 'PINNED'],
] as const)('with `%s` a worker names its version, in the deployment of its queue', async (versions, defaultVersioningBehavior) => {
  const { named } = await joined(versions);
  expect(named).toEqual({ workerDeploymentOptions: { version: VERSION, useWorkerVersioning: true, defaultVersioningBehavior } });
});

test('with `off` it has a build alone, and asks nothing', async () => {
  expect(await joined('off', grpcError(14))).toEqual({ named: { buildId: 'app+a' }, logged: [] });
});

test.each([
  [12, 'it is too old'],
  [7, 'disabled here'],
])('a server without deployments (%i) is named once, and the worker works without a version', async (code, why) => {
  const line = `warn the server has no versions of workers, so this one works as with \`versions: off\`: ${why}`;
  expect(await joined('auto', grpcError(code, 'disabled here'))).toEqual({ named: { buildId: 'app+a' }, logged: [line] });
  await expect(joined('pinned', grpcError(code))).rejects.toMatchObject({ code });
});

test('a server that does not answer is the caller’s problem', async () => {
  await expect(joined('auto', grpcError(14))).rejects.toMatchObject({ code: 14 });
});
