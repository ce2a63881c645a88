import { join } from 'node:path';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';

/**
 * Has the threads in which Temporal's SDK runs workflows load their modules from the code cache as well. The SDK says nothing of how they
 * start; where it starts them another way than today, they load as always.
 */
const THREAD = /[\\/]@temporalio[\\/]worker[\\/]lib[\\/]workflow[\\/]workflow-worker-thread\.js$/;

export function useCodeCacheInThreads(places: readonly string[]): void {
  const { Worker } = workerThreads;
  workerThreads.Worker = class extends Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      if (typeof file === 'string' && THREAD.test(file) && options === undefined)
        super(join(__dirname, 'thread-entry.js'), { workerData: { entry: file, places } });
      else super(file, options);
    }
  };
}
