import { basename, dirname, join } from 'node:path';
import {
  GracefulShutdownPeriodExpiredError,
  NativeConnection,
  type NativeConnectionOptions,
  type WorkerOptions as SdkOptions,
  Worker,
} from '@temporalio/worker';
import type { AgentAdapter } from '../activities/agent-port';
import { createActivities } from '../activities/create-activities';
import { InFlight } from '../activities/in-flight';
import type { Log } from '../activities/log';
import type { Metrics } from '../activities/metrics';
import type { CallSeals } from '../activities/ports';
import type { Tool } from '../activities/tools/tool';
import type { ToolSettings } from '../plan/agents/adapter';
import { capabilityQueue } from '../plan/run/contract';
import { ThermidorFailure } from '../plan/run/failure';
import type { CallbackSpec, MailSpec } from '../plan/run/services';
import { hostQueue } from '../plan/run/worktree';
import { buildIdOf } from './build-id';
import { defaultCachedRuns } from './cached-runs';
import { watchClosedRuns } from './closed-runs';
import type { PlaceSettings } from './installation';
import { workflowCode } from './promise-traces';
import type { QueueRule } from './queues/queue-rules';
import { installRuntime } from './runtime';
import { sealingCodec } from './sealing-codec';
import { probeSearchAttributes } from './search-attributes';
import { askServer, watchContact } from './server-contact';
import { sweepStateFolder } from './sweep-state-folder';
import { createCallSeals, createToolbox } from './toolbox';
import { WORKFLOW_PATIENCE } from './workflow-patience';
import { startJanitor } from './worktrees/host-janitor';
import { beginHostWork, type HostWork } from './worktrees/host-work';
import { type GitAccess, settingsOrDefault, type WorktreeSettings } from './worktrees/worktree-settings';

export interface WorkerOptions extends PlaceSettings {
  /** Host and port of the server. */
  address: string;
  namespace: string;
  taskQueue: string;
  /** Capabilities: steps with one of them as their `queue` come to this worker, too. @default none */
  queues?: readonly string[];
  /** Takes nothing else: neither workflows nor steps without a queue. @default false */
  onlyQueues?: boolean;
  identity: string;
  /** Where artifacts and ledger are. */
  stateDir: string;
  pipelineDirs: string[];
  /** @default no mail is sent */
  mail?: MailSpec;
  /** Of the listener: how its seals are checked, and where it can be reached. */
  callbacks?: CallbackSpec;
  /** An application’s own ways to run agents, made in code (docs/adapters.md). Each wins over another of its name. @default none */
  ownAdapters?: readonly AgentAdapter[];
  /** An application’s own tools, by name, beside those that every worker has. @default none */
  ownTools?: Readonly<Record<string, Tool>>;
  toolSettings?: ToolSettings;
  /** Of the worktrees of steps. @default the user's folder of worktrees, with the defaults of `WorktreeSettings` */
  worktrees?: WorktreeSettings;
  /** The rules of merge queues. @default the defaults for each */
  mergeQueues?: readonly QueueRule[];
  /** How git reaches repositories and remotes. @default nothing but what the environment has */
  git?: GitAccess;
  /** Counts what its agents do. @default nobody does */
  metrics?: Metrics;
  /** Learns when the server stops answering the worker, and when it answers again. @default nobody does */
  onContact?: (has: boolean) => void;
  /** For agents that name none. */
  defaultAdapter: string;
  /** Agents of one pipeline at once, over all workers that share the state folder. @default what the pipeline says of itself, and 8 at least */
  agentsInFlight?: number;
  /** What lines of the command line in messages need to reach the server, with a space before it. */
  commandFlags?: string;
  /** `queries` takes no activities but local ones, so that looking at a run never starts an agent. */
  mode: 'full' | 'queries';
  log: Log;
  connection?: Pick<NativeConnectionOptions, 'tls' | 'apiKey'>;
  /** @default the one that `npm run build` made */
  workflowBundle?: { codePath: string };
  /** Runs whose state it keeps in memory; any other is replayed from its history when something happens to it. @default by memory (cached-runs.ts) */
  cachedRuns?: number;
  /** Keeps where each promise of a workflow was made, for `temporal workflow stack`. It costs about half of a step's CPU time. @default false */
  stackTraces?: boolean;
  /** Activities of this worker at once, of each of its queues. @default 100 */
  maxConcurrentAgents?: number;
  /** What steps in flight get to end by themselves at shutdown. @default 10000 */
  shutdownGraceMs?: number;
}

export interface RunningWorker {
  identity: string;
  /** Settles when the worker has stopped; rejects where it broke off. */
  finished: Promise<void>;
  /** The runs whose steps it has in progress, by workflow id. */
  inHand(): string[];
  /**
   * Takes no new work, lets steps in flight end within the grace time, then hands them over; before that, where `handOver` is aborted.
   * Fails if a step does not end on request.
   */
  shutdown(handOver?: AbortSignal): Promise<void>;
}

const SHUTDOWN_GRACE_MS = 10_000;
/** After the grace time, for what does not listen to its signal. */
const SHUTDOWN_FORCE_MS = 5000;
const MAX_ACTIVITIES = 100;

export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { address, namespace, taskQueue, identity, stateDir, mode, log } = options;
  installRuntime(log);
  const connection = await NativeConnection.connect({ address, ...options.connection });
  let hostWork: HostWork | undefined;
  try {
    const searchAttributes = await probeSearchAttributes(connection, namespace);
    await sweepStateFolder(stateDir, log);
    const hand = new InFlight({ log, places: options.maxConcurrentAgents ?? MAX_ACTIVITIES });
    const codePath = options.workflowBundle?.codePath ?? join(distFolder(), 'workflow-bundle.js');
    const toolbox = createToolbox({ ...options, searchAttributes });
    const seals = createCallSeals(stateDir);
    const shared: SdkOptions & { connection: NativeConnection } = {
      ...common(options, seals),
      buildId: buildIdOf(codePath),
      connection,
      taskQueue,
      activities: createActivities(toolbox, seals, hand),
    };
    const workers: Worker[] = [];
    if (!options.onlyQueues) {
      const main = await Worker.create({
        ...shared,
        ...WORKFLOW_PATIENCE,
        workflowBundle: workflowCode(codePath, options.stackTraces ?? false),
        maxCachedWorkflows: options.cachedRuns ?? defaultCachedRuns(),
        enableNonLocalActivities: mode === 'full',
        // It has nothing else to do than the code of workflows: a thread of its own costs it half of its start.
        debugMode: mode === 'queries',
        // After kill -9 the next query or signal waits this long for the dead worker's cache.
        stickyQueueScheduleToStartTimeout: '1s',
      });
      workers.push(main);
    }
    for (const capability of mode === 'full' ? new Set(options.queues) : []) {
      workers.push(await Worker.create({ ...shared, taskQueue: capabilityQueue(taskQueue, capability) }));
    }
    hostWork = mode === 'full' ? await beginHostWork(toolbox.worktrees, log) : undefined;
    if (hostWork) workers.push(await Worker.create({ ...shared, taskQueue: hostQueue(taskQueue, hostWork.host) }));
    const { ledger } = toolbox;
    const { worktrees, git = {} } = options;
    const janitor = { worktrees: settingsOrDefault(worktrees), git, stateDir, namespace, server: connection, ledger };
    const stopJanitor = hostWork && startJanitor(janitor, log);
    const stopContact = mode === 'full' ? watchContact(askServer(connection), log, options.onContact ?? (() => undefined)) : undefined;
    const looks = mode === 'full' && !options.onlyQueues;
    const stopClosed = looks ? watchClosedRuns({ server: connection, namespace, taskQueue, toolbox, log }) : undefined;
    const leave = async (): Promise<void> => {
      stopContact?.();
      await stopClosed?.();
      await stopJanitor?.();
      await Promise.all([connection.close(), hostWork?.stop()]);
    };
    return running(identity, workers, leave, hand);
  } catch (error) {
    await hostWork?.stop();
    await connection.close();
    throw error;
  }
}

/** What a worker is on every queue. */
function common(
  { namespace, identity, shutdownGraceMs, maxConcurrentAgents }: WorkerOptions,
  seals: CallSeals,
): Omit<SdkOptions, 'taskQueue'> {
  const graceMs = shutdownGraceMs ?? SHUTDOWN_GRACE_MS;
  return {
    namespace,
    identity,
    dataConverter: {
      payloadConverterPath: join(distFolder(), 'workflows', 'temporal', 'payload-converter.js'),
      payloadCodecs: [sealingCodec(seals)],
    },
    maxConcurrentActivityTaskExecutions: maxConcurrentAgents ?? MAX_ACTIVITIES,
    // Cancelling reaches an activity with its next heartbeat.
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    shutdownGraceTime: graceMs,
    shutdownForceTime: graceMs + SHUTDOWN_FORCE_MS,
  };
}

/** All of them run until all have stopped; where one breaks off, the others stop too. */
function running(identity: string, workers: readonly Worker[], leave: () => Promise<void>, hand: InFlight): RunningWorker {
  const stop = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const runs = workers.map((worker) => worker.run());
  for (const run of runs) run.catch(stop);
  const finished = Promise.allSettled(runs)
    .finally(leave)
    .then((ends) => {
      const broken = ends.find((end) => end.status === 'rejected');
      if (broken) throw broken.reason instanceof GracefulShutdownPeriodExpiredError ? notEnded(hand) : broken.reason;
    });
  // The caller that awaits `finished` gets the error; nobody may be waiting yet.
  finished.catch(() => undefined);
  return {
    identity,
    finished,
    inHand: () => hand.runs(),
    async shutdown(handOver) {
      stop();
      await (handOver === undefined ? finished : Promise.race([finished, laidDown(hand, handOver)]));
    },
  };
}

/** Settles only by failing: once the order came, and what is in hand did not end. */
function laidDown(hand: InFlight, order: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const layDown = (): void => {
      hand.drain();
      const late = (): void => reject(notEnded(hand));
      setTimeout(late, SHUTDOWN_FORCE_MS).unref();
    };
    if (order.aborted) layDown();
    else order.addEventListener('abort', layDown, { once: true });
  });
}

function notEnded(hand: InFlight): ThermidorFailure {
  const left = hand.unended().join(', ') || 'nothing that it knows of';
  return new ThermidorFailure('worker.lost', `the worker stops, but what was told to end has not: ${left}; another worker begins it again`);
}

/** Where the build is, whether this runs from it or from the sources, as tests do. */
function distFolder(): string {
  const root = dirname(__dirname);
  return basename(root) === 'dist' ? root : join(root, 'dist');
}
