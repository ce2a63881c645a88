import type { NativeConnection } from '@temporalio/worker';
import { probeSearchAttributes } from '../../worker/search-attributes';

function serverWith(...names: string[]): NativeConnection {
  const customAttributes = Object.fromEntries(names.map((name) => [name, 2]));
  const operatorService = { listSearchAttributes: async () => ({ customAttributes }) };
  return { withDeadline: (_: number, ask: () => unknown) => ask(), operatorService } as object as NativeConnection;
}

test('runs show the attributes that the server knows, and their state only if they can show whether they wait', async () => {
  const known = (...names: string[]) => probeSearchAttributes(serverWith(...names), 'default');
  expect(await known('ThermidorState', 'Other', 'ThermidorWaitingFor')).toEqual(['ThermidorState', 'ThermidorWaitingFor']);
  expect(await known('ThermidorState', 'ThermidorPipeline')).toEqual(['ThermidorPipeline']);
  expect(await known('ThermidorWaitingFor')).toEqual(['ThermidorWaitingFor']);
});
