import { Registry } from 'prom-client';
import { namespaceGauges } from '../../worker/namespace-gauges';

const NUMBERS = {
  runs: { running: 2, waiting: 1, held: 0, paused: 0 },
  gates: { open: 3, oldestSeconds: 42 },
  queues: [{ queue: 'gpu', kind: 'activity', backlog: 7, ageSeconds: 1.5 }],
  skipped: { overlap: 4, missed: 0 },
} as const;

async function lines(registry: Registry): Promise<string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('thermidor_'));
}

test('a process that counts for all has the numbers of now, and none of earlier', async () => {
  const registry = new Registry();
  const report = namespaceGauges(registry);
  report(NUMBERS);
  expect(await lines(registry)).toEqual([
    'thermidor_open_runs{state="running"} 2',
    'thermidor_open_runs{state="waiting"} 1',
    'thermidor_open_runs{state="held"} 0',
    'thermidor_open_runs{state="paused"} 0',
    'thermidor_open_gates 3',
    'thermidor_oldest_gate_age_seconds 42',
    'thermidor_queue_backlog{queue="gpu",kind="activity"} 7',
    'thermidor_queue_backlog_age_seconds{queue="gpu",kind="activity"} 1.5',
    'thermidor_schedule_skips{kind="overlap"} 4',
    'thermidor_schedule_skips{kind="missed"} 0',
  ]);
  report({ ...NUMBERS, queues: [] });
  expect((await lines(registry)).filter((line) => line.includes('gpu'))).toEqual([]);
});

test('a process that does not count has none of them, not even zeros', async () => {
  const registry = new Registry();
  const report = namespaceGauges(registry);
  expect(await lines(registry)).toEqual([]);
  report(NUMBERS);
  report(undefined);
  expect(await lines(registry)).toEqual([]);
});
