import { basename, dirname, join } from 'node:path';
import type { PayloadCodec } from '@temporalio/common';
import { NativeConnection, type NativeConnectionOptions, type WorkerOptions as SdkOptions, Worker } from '@temporalio/worker';
import { createActivities } from '../activities/create-activities';
import { InFlight } from '../activities/in-flight';
import { defined } from '../plan/defined';
import { capabilityQueue } from '../plan/run/contract';
import type { VersionMode } from '../plan/run/deployment';
import { hostQueue } from '../plan/run/worktree';
import { nameHost } from '../records/locks/host-name';
import type { Records } from '../records/records';
import type { KeyRing } from '../records/sealing/key-ring';
import { activitySlots, type LoadLimits } from './activity-slots';
import { buildIdOf } from './build-id';
import { defaultCachedRuns } from './cached-runs';
import { watchClosedRuns } from './closed-runs';
import { encryptingCodec } from './encrypting-codec';
import { joinDeployment } from './join-deployment';
import { keepVersionServed } from './keep-version-served';
import { keyRingOf } from './key-ring';
import { logWithoutContent } from './log-without-content';
import { openStore, type StoreOptions } from './open-store';
import { openingServer } from './opening-server';
import { workflowCode } from './promise-traces';
import { type RunningWorker, running } from './running-worker';
import { installRuntime } from './runtime';
import type { SdkMetrics } from './sdk-metrics';
import { sealingCodec } from './sealing-codec';
import { probeSearchAttributes } from './search-attributes';
import { askServer, askStore, watchContact } from './server-contact';
import { SHUTDOWN_FORCE_MS, SHUTDOWN_GRACE_MS } from './shutdown-times';
import { withStep } from './step-in-log';
import { sweepStateFolder } from './sweep-state-folder';
import { createCallSeals, createHandovers, createToolbox, type ToolboxOptions } from './toolbox';
import type { ReportHealth } from './watch-listener';
import { WORKFLOW_PATIENCE } from './workflow-patience';
import { startJanitor } from './worktrees/host-janitor';
import { beginHostWork, type HostWork } from './worktrees/host-work';
import { settingsOrDefault } from './worktrees/worktree-settings';

export interface WorkerOptions extends Omit<ToolboxOptions, 'records' | 'searchAttributes'>, StoreOptions {
  /** Host and port of the server. */
  address: string;
  namespace: string;
  taskQueue: string;
  /** Capabilities: the worker also takes steps with one of them as their `queue`. @default none */
  queues?: readonly string[];
  /** Takes nothing else: neither workflows nor steps without a queue. @default false */
  onlyQueues?: boolean;
  identity: string;
  /** The store, if this process has it open already. */
  records?: Records;
  /** Takes what the process says in numbers. The runtime of a process takes the first buffer that it gets. @default nobody does */
  sdkMetrics?: Pick<SdkMetrics, 'buffer' | 'slots'>;
  /** Learns when the server or the store stops answering the worker, and when it answers again. @default nobody does */
  onHealth?: ReportHealth;
  /** `queries` takes no activities but local ones, so that looking at a run never starts an agent. */
  mode: 'full' | 'queries';
  connection?: Pick<NativeConnectionOptions, 'tls' | 'apiKey'>;
  /** @default the one that `npm run build` made */
  workflowBundle?: { codePath: string };
  /**
   * How many runs' state it keeps in memory; any other is replayed from its history when something happens to it. @default by memory
   * (cached-runs.ts)
   */
  cachedRuns?: number;
  /**
   * Records where each promise of a workflow was made, for `temporal workflow stack`. It costs about half of a step's CPU time. @default
   * false
   */
  stackTraces?: boolean;
  /** How the server tells builds of this program apart. @default 'off' */
  versions?: VersionMode;
  /** Activities of this worker at once, of each of its queues. @default 100 */
  maxConcurrentAgents?: number;
  /** Begins no further activity above this load of its host. @default its load does not count */
  loadLimits?: LoadLimits;
  /** The time that steps in flight get to end by themselves at shutdown. @default 10000 */
  shutdownGraceMs?: number;
}

const MAX_ACTIVITIES = 100;

export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { address, namespace, taskQueue, identity, stateDir, mode, records = openStore(options) } = options;
  const keys = keyRingOf(options.encryption);
  const log = withStep(keys.use === undefined ? options.log : logWithoutContent(options.log));
  if (options.worktrees?.host !== undefined) nameHost(options.worktrees.host);
  installRuntime(log, options.sdkMetrics?.buffer);
  if (mode === 'full') await records.ready(placesOf(options));
  const connection = await NativeConnection.connect({ address, ...options.connection });
  let hostWork: HostWork | undefined;
  let folderWork: HostWork | undefined;
  try {
    const searchAttributes = await probeSearchAttributes(connection, namespace);
    await sweepStateFolder(stateDir, log);
    const handovers = mode === 'full' ? await createHandovers(records, log) : undefined;
    const hand = new InFlight({ log, places: placesOf(options), ...defined({ handovers }) });
    const codec = encryptingCodec(keys);
    const codePath = options.workflowBundle?.codePath ?? join(distFolder(), 'workflow-bundle.js');
    const toolbox = createToolbox({ ...options, log, records, searchAttributes });
    const seals = createCallSeals(records);
    const joining = { connection, namespace, taskQueue, buildId: buildIdOf(codePath), identity, log };
    const named = await joinDeployment({ ...joining, versions: options.versions ?? 'off' });
    const shared: SdkOptions & { connection: NativeConnection } = {
      ...common(options, [sealingCodec(seals), codec], keys),
      ...named,
      connection,
      taskQueue,
      activities: createActivities(toolbox, seals, hand),
    };
    const workers: Worker[] = [];
    if (!options.onlyQueues) {
      const main = await Worker.create({
        ...shared,
        ...WORKFLOW_PATIENCE,
        workflowBundle: workflowCode(codePath, options.stackTraces ?? false, keys.use !== undefined),
        maxCachedWorkflows: options.cachedRuns ?? defaultCachedRuns(),
        enableNonLocalActivities: mode === 'full',
        // It only runs workflow code: a thread of its own would take half of its start-up time.
        debugMode: mode === 'queries',
        // After kill -9 the next query or signal waits this long for the dead worker's cache.
        stickyQueueScheduleToStartTimeout: '1s',
      });
      workers.push(main);
    }
    for (const capability of mode === 'full' ? new Set(options.queues) : []) {
      workers.push(await Worker.create({ ...shared, taskQueue: capabilityQueue(taskQueue, capability) }));
    }
    const says = async () => ({ identity, ...defined({ slots: await options.sdkMetrics?.slots() }) });
    hostWork = mode === 'full' ? await beginHostWork(toolbox.worktrees, says, 'their worktrees', log) : undefined;
    folderWork = mode === 'full' ? await beginHostWork(toolbox.folderHost, says, 'their files', log) : undefined;
    for (const own of [hostWork, folderWork])
      if (own) workers.push(await Worker.create({ ...shared, taskQueue: hostQueue(taskQueue, own.host) }));
    const { worktrees, git = {} } = options;
    const janitor = { worktrees: settingsOrDefault(worktrees), git, records, namespace, server: connection };
    const stopJanitor = hostWork && startJanitor(janitor, log);
    const asked = { server: askServer(connection), store: askStore(records) };
    const contacts = mode === 'full' ? (['server', 'store'] as const) : [];
    const stopContacts = contacts.map((of) => watchContact(of, asked[of], log, (problem) => options.onHealth?.(of, problem)));
    const looks = mode === 'full' && !options.onlyQueues;
    const stopClosed = looks
      ? watchClosedRuns({ server: openingServer(connection, codec), namespace, taskQueue, toolbox, log })
      : undefined;
    const isStopping = (): boolean => workers.some((one) => !['INITIALIZED', 'RUNNING'].includes(one.getState()));
    const versioned = named.workerDeploymentOptions !== undefined;
    const stopVersions = looks ? keepVersionServed({ ...joining, versioned, isStopping }) : undefined;
    const leave = async (): Promise<void> => {
      for (const stop of stopContacts) stop();
      stopVersions?.();
      await stopClosed?.();
      await stopJanitor?.();
      await Promise.all([connection.close(), hostWork?.stop(), folderWork?.stop(), toolbox.traces?.close()]);
    };
    return running({ identity, workers, leave, hand, graceMs: graceOf(options) });
  } catch (error) {
    await Promise.all([hostWork?.stop(), folderWork?.stop()]);
    await connection.close();
    throw error;
  }
}

/** The options of a worker on every queue. */
function common(options: WorkerOptions, payloadCodecs: PayloadCodec[], keys: KeyRing): Omit<SdkOptions, 'taskQueue'> {
  const { namespace, identity } = options;
  // The worker itself drops work that has not ended after the grace time: others must know of it first.
  const forcedMs = graceOf(options) + SHUTDOWN_FORCE_MS;
  return {
    namespace,
    identity,
    dataConverter: {
      payloadConverterPath: join(distFolder(), 'workflows', 'temporal', 'payload-converter.js'),
      payloadCodecs,
      ...(keys.use === undefined ? {} : { failureConverterPath: join(distFolder(), 'worker', 'sealed-failures.js') }),
    },
    ...activitySlots(placesOf(options), options.loadLimits),
    // Cancelling reaches an activity with its next heartbeat.
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    shutdownGraceTime: forcedMs,
    shutdownForceTime: forcedMs,
  };
}

function placesOf({ maxConcurrentAgents }: WorkerOptions): number {
  return maxConcurrentAgents ?? MAX_ACTIVITIES;
}

function graceOf({ shutdownGraceMs }: WorkerOptions): number {
  return shutdownGraceMs ?? SHUTDOWN_GRACE_MS;
}

/** The folder of the build, whether this runs from it or, as in tests, from the sources. */
function distFolder(): string {
  const root = dirname(__dirname);
  return basename(root) === 'dist' ? root : join(root, 'dist');
}
