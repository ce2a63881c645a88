import { noopMetricMeter } from '@temporalio/common';
import { DefaultLogger, type WorkerOptions } from '@temporalio/worker';
import { compileWorkerOptions } from '@temporalio/worker/lib/worker-options';
import { WORKFLOW_PATIENCE } from '../../worker/workflow-patience';

test('the SDK lets workflow code take as long as a worker says', () => {
  const patience = (options: WorkerOptions) =>
    compileWorkerOptions(options, new DefaultLogger('ERROR'), noopMetricMeter).isolateExecutionTimeoutMs;
  expect(patience({ taskQueue: 'q' })).toBe(5_000);
  expect(patience({ taskQueue: 'q', ...WORKFLOW_PATIENCE })).toBe(86_400_000);
});
