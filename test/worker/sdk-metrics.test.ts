import { MetricsBuffer } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { takeSdkMetrics } from '../../worker/sdk-metrics';

type Update = { metric: { kind: string; name: string; unit?: string; description?: string }; value: number; attributes: object };

/** What the SDK says until the end of a test. */
function saying(...updates: Update[]) {
  jest.spyOn(MetricsBuffer.prototype, 'retrieveUpdates').mockImplementation((): never => updates.splice(0).values() as never);
  return updates;
}
const requests = (attributes: object, value = 1): Update => ({
  metric: { kind: 'counter', name: 'temporal_request', description: 'Count of requests' },
  value,
  attributes: { service_name: 'temporal-core-sdk', ...attributes },
});

describe('what the SDK says in numbers', () => {
  let registry: Registry;
  let sdk: ReturnType<typeof takeSdkMetrics>;
  const taken = async (): Promise<string[]> => {
    sdk.take();
    return (await registry.metrics()).split('\n').filter((line) => line !== '');
  };
  beforeEach(() => {
    jest.useFakeTimers();
    registry = new Registry();
    sdk = takeSdkMetrics(registry);
  });
  afterEach(() => {
    sdk.close();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('is in the registry under its own names, durations in seconds, with its own help', async () => {
    const latency = { kind: 'histogram', name: 'temporal_request_latency', unit: 's', description: 'Latencies' };
    const slots = { kind: 'gauge', name: 'temporal_worker_task_slots_used', description: 'Slots' };
    saying(
      requests({ operation: 'PollNexus', eager: true }, 2),
      requests({ operation: 'PollNexus' }, 3),
      { metric: latency, value: 0.3, attributes: { operation: 'PollNexus' } },
      { metric: slots, value: 7, attributes: { worker_type: 'ActivityWorker', task_queue: 'q' } },
      { metric: slots, value: 4, attributes: { worker_type: 'ActivityWorker', task_queue: 'q' } },
    );
    const lines = await taken();
    expect(lines).toContain('# HELP temporal_request Count of requests');
    expect(lines).toContain('temporal_request{operation="PollNexus"} 5');
    expect(lines).toContain('temporal_request_latency_seconds_bucket{le="0.5",operation="PollNexus"} 1');
    expect(lines).toContain('temporal_request_latency_seconds_sum{operation="PollNexus"} 0.3');
    expect(lines).toContain('temporal_worker_task_slots_used{task_queue="q",worker_type="ActivityWorker"} 4');
  });

  it('knows the places for steps over all queues, and nothing of them before the SDK has said it', async () => {
    expect(await sdk.slots()).toBeUndefined();
    const [used, available] = ['used', 'available'].map((which) => ({ kind: 'gauge', name: `temporal_worker_task_slots_${which}` }));
    const of = (metric: Update['metric'] | undefined, value: number, task_queue = 'q', worker_type = 'ActivityWorker') => ({
      ...{ metric: metric as Update['metric'], value, attributes: { worker_type, task_queue } },
    });
    saying(
      of(used, 7),
      of(available, 3),
      of(used, 5),
      of(used, 1, 'q:gpu'),
      of(available, 9, 'q:gpu'),
      of(used, 40, 'q', 'WorkflowWorker'),
    );
    expect(await sdk.slots()).toEqual({ used: 6, free: 12 });
  });

  it('has the ends of steps that workflow code counts', async () => {
    const metric = { kind: 'counter', name: 'thermidor_steps_total', description: 'Steps' };
    const attributes = { kind: 'agent', end: 'failed', namespace: 'default', taskQueue: 'q', workflowType: 'w' };
    saying({ metric, value: 1, attributes });
    expect(await taken()).toContain('thermidor_steps_total{kind="agent",end="failed"} 1');
  });

  it('is taken although nobody reads the registry', async () => {
    const updates = saying(requests({ operation: 'a' }));
    jest.advanceTimersByTime(1000);
    expect(updates).toEqual([]);
    updates.push(requests({ operation: 'a' }));
    jest.advanceTimersByTime(1000);
    expect(updates).toEqual([]);
    expect(await taken()).toContain('temporal_request{operation="a"} 2');
  });

  it('has no more series than there is room for, whatever others start', async () => {
    saying(...Array.from({ length: 10_000 }, (_, i) => requests({ workflow_type: `made up ${i}\n"` })));
    const lines = (await taken()).filter((line) => line.startsWith('temporal_request{'));
    expect(lines).toHaveLength(501);
    expect(lines).toContain('temporal_request{workflow_type="other"} 9500');
  });
});
