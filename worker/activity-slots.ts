import { ResourceBasedController, type WorkerOptions } from '@temporalio/worker';
import { defined } from '../plan/defined';

/** The load of its host, in percent, above which a worker begins nothing more. */
export interface LoadLimits {
  memory?: number;
  cpu?: number;
}

const DEFAULT_LIMITS = { memory: 80, cpu: 90 };

/** The SDK's own numbers of what is not limited here. */
const WORKFLOW_TASKS = 40;
const OTHERS = 100;

/**
 * How many activities a worker does at once: a number, or as many as its host can bear, up to that number. One is begun whatever the load
 * is. The workers of a process share the answer, because each of its queues has a worker.
 *
 * @param most of each queue
 */
export function activitySlots(
  most: number,
  limits: LoadLimits | undefined,
): Pick<WorkerOptions, 'maxConcurrentActivityTaskExecutions' | 'tuner'> {
  if (limits === undefined) return { maxConcurrentActivityTaskExecutions: most };
  const { memory, cpu } = { ...DEFAULT_LIMITS, ...defined({ ...limits }) };
  const controller = ResourceBasedController.create({ targetMemoryUsage: memory / 100, targetCpuUsage: cpu / 100 });
  return {
    tuner: {
      workflowTaskSlotSupplier: { type: 'fixed-size', numSlots: WORKFLOW_TASKS },
      activityTaskSlotSupplier: { type: 'resource-based', controller, minimumSlots: 1, maximumSlots: most },
      localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: OTHERS },
      nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: OTHERS },
    },
  };
}
