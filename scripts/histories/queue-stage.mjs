// A merge queue on a stage's server, with a worker of its own whose activities are a world in memory.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { queueWorld } from './queue-world.mjs';

const require = createRequire(import.meta.url);
const dist = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'dist');
const { NativeConnection, Worker } = require('@temporalio/worker');
const { queuesOn } = require('../../dist/activities/queue/temporal-queues.js');

/** How a case drives its queue. */
export async function openQueue({ client, address, until, identity }, name, { queue }) {
  const workflowId = `queue:${name}`;
  const taskQueue = name;
  const world = queueWorld(queue);
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    ...{ connection, identity, taskQueue, activities: world.activities, maxHeartbeatThrottleInterval: 50 },
    workflowBundle: { codePath: join(dist, 'workflow-bundle.js') },
    dataConverter: { payloadConverterPath: join(dist, 'workflows', 'temporal', 'payload-converter.js') },
  });
  const running = worker.run();
  const asker = queuesOn(client.workflow, taskQueue, (work) => work());
  const handle = client.workflow.getHandle(workflowId);
  // Between two executions nobody answers.
  const view = () => handle.query('queue').catch(() => undefined);
  const asked = (candidate) => ({ workflowId: 'build', run: '00000000-0000-4000-8000-000000000001', name: candidate });
  return {
    world,
    workflowId,
    /** One after the other, so that the history has them in this order. */
    async submit(...candidates) {
      for (const candidate of candidates) await asker.ask(workflowId, asked(candidate));
    },
    order: (order, payload = {}) => handle.executeUpdate(order, { args: [payload] }),
    when: (what, fits) =>
      until(`${workflowId}: ${what}`, async () => {
        const seen = await view();
        return seen !== undefined && fits(seen);
      }),
    atRest: (count) =>
      until(`${workflowId}: ${count} tickets are done`, async () => {
        const { line = [], waiting = [], done = [] } = (await view()) ?? {};
        return line.length + waiting.length === 0 && done.length === count;
      }),
    async close() {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}
