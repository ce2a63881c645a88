import { NativeConnection, Worker } from '@temporalio/worker';
import { KeyedCallSeals } from '../../activities/adapters/call-seals';
import { buildIdOf } from '../../worker/build-id';
import { installRuntime } from '../../worker/runtime';
import { sealingCodec } from '../../worker/sealing-codec';
import { OVERHEAD_CASES, planOf, WARM_UP } from './cases';
import { noopActivities } from './noop-activities';
import { type FromWorker, isToWorker, type WorkerSpec } from './worker-messages';

/** Its own activities require no seals; histories contain them anyway. */
const SEALS = new KeyedCallSeals(async () => Buffer.alloc(32));

/**
 * The worker of one side, in a process of its own so that its CPU time is its own. Both sides run this file; they differ in
 * their bundle, its name, the payload converter and the codec that seals calls only. The options are those of `worker/worker.ts`.
 */
async function main(spec: WorkerSpec): Promise<void> {
  installRuntime((level, message) => process.stderr.write(`worker of ${spec.taskQueue}: ${level}: ${message}\n`));
  const { address, namespace, taskQueue, bundle, payloadConverter, named } = spec;
  const connection = await NativeConnection.connect({ address });
  const plans = new Map([WARM_UP, ...OVERHEAD_CASES].map((each) => [each.name, planOf(each)]));
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: { codePath: bundle },
    ...(named ? { buildId: buildIdOf(bundle) } : {}),
    ...(payloadConverter === undefined
      ? {}
      : { dataConverter: { payloadConverterPath: payloadConverter, payloadCodecs: [sealingCodec(SEALS)] } }),
    activities: noopActivities(plans),
    maxConcurrentActivityTaskExecutions: 100,
    stickyQueueScheduleToStartTimeout: '1s',
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    shutdownForceTime: '10s',
  });
  process.on('message', (message) => {
    if (!isToWorker(message)) return;
    if (message.kind === 'cpu') sendMessage({ kind: 'cpu', cpuMs: cpuMs() });
    else worker.shutdown();
  });
  // Also if the bench was killed: nobody else would end this process.
  process.once('disconnect', () => process.exit());
  const finished = worker.run();
  sendMessage({ kind: 'ready' });
  await finished;
  await connection.close();
  process.disconnect();
}

function sendMessage(message: FromWorker): void {
  process.send?.(message);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

main(JSON.parse(process.argv[2] ?? '{}') as WorkerSpec).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
