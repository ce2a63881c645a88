import type { MemoryOptions, MemoryRun } from './memory-run';

import { createMemoryServer } from './memory-server';
import { createVirtualClock } from './virtual-clock';

const SETTLED_ROUNDS = 3;
const START_MS = Date.UTC(2026, 0, 5, 7, 30);

export function runInMemory(options: MemoryOptions): MemoryRun {
  const clock = createVirtualClock(options.startMs ?? START_MS);
  const server = createMemoryServer(clock, options);
  const run = server.start({
    workflowId: options.workflowId ?? 'test-run',
    workflowType: options.workflowType ?? 'test_pipeline',
    input: options.input ?? {},
  });

  async function settle(): Promise<void> {
    for (let round = 0; round < SETTLED_ROUNDS; round++) await new Promise((resolve) => setImmediate(resolve));
  }

  return {
    clock,
    result: run.result,
    published: run.published,
    get executions() {
      return run.executions;
    },
    children: server.children,
    signal: run.signal,
    update: run.update,
    query: run.query,
    cancel: run.cancel,
    settle,
    async elapse(until) {
      await settle();
      while (!until?.() && clock.tick()) await settle();
    },
  };
}
