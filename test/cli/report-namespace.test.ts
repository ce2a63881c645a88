import { reportNamespace } from '../../cli/monitoring/report-namespace';
import type { ThermidorClient } from '../../client/connect';
import type { NamespaceNumbers } from '../../plan/run/namespace-numbers';

const asked = { runs: 0, counted: [] as string[][] };

jest.mock('../../client/namespace-numbers', () => ({
  servedQueues: async () => ['tq'],
  waitedOnQueues: async () => {
    asked.runs += 1;
    return ['tq:gpu'];
  },
  skippedStarts: async () => ({ overlap: 0, missed: 0 }),
  readNamespace: async (_client: unknown, queues: Set<string>) => {
    asked.counted.push([...queues]);
    return { runs: {}, gates: {}, queues: [] };
  },
}));

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('queues on which runs wait are counted although nobody has ever served them; runs are asked once a minute', async () => {
  const reported: (NamespaceNumbers | undefined)[] = [];
  const stop = reportNamespace({
    office: { isThis: async () => true, leave: async () => undefined },
    connect: async () => ({ close: async () => undefined }) as ThermidorClient,
    report: (numbers) => reported.push(numbers),
    log: () => undefined,
  });
  await jest.advanceTimersByTimeAsync(50_000);
  expect(asked.runs).toBe(1);
  expect(asked.counted.length).toBeGreaterThan(2);
  expect(new Set(asked.counted.map((queues) => queues.join()))).toEqual(new Set(['tq,tq:gpu']));
  await jest.advanceTimersByTimeAsync(30_000);
  expect(asked.runs).toBe(2);
  await stop();
});
