import { defined } from '../../plan/defined';
import { hostName } from '../../records/locks/host-name';
import type { WatchListener } from '../../worker/watch-listener';
import type { Invocation, Options } from '../command';
import { EXIT, usage } from '../exit';
import { warnUnservedOfFolder } from '../serving/check-served';
import { watchDrain } from '../serving/drain-watch';
import { openCallbacks, warning } from '../session/callbacks';
import { endsInTime } from '../session/ends-in-time';
import { countForAll, STOPS, watchedBy, withMetrics } from '../session/metrics';
import { requireStore } from '../session/require-store';
import { keepRetention } from '../session/retention';
import { openSession } from '../session/session';
import { startOwnWorker } from '../session/start-own-worker';
import { giveBackLost, leasedServer, leaseWorker } from '../session/worker-lease';
import { both, fileLog, jsonLog, type Log, printedLog } from '../session/worker-log';
import type { Configuration } from '../settings/configuration';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';
import { waitForInterrupt } from '../wait-for-interrupt';

/** Runs a worker of a configured server, or of the embedded one if none is configured, until Ctrl-C or SIGTERM. */
export async function execute(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  if (options.text('role') === 'callbacks') return listen(invocation);
  const agents = options.number('agents', 1);
  const { queues, onlyQueues } = queuesOf(options);
  const configuration = configurationOf(invocation);
  const queuesText = queues === undefined ? '' : `, ${onlyQueues ? 'only ' : ''}queues ${queues.join(', ')}`;
  const announce = (identity: string, address: string): void => {
    terminal.err(`worker ${identity} at ${address}, task queue ${configuration.taskQueue.value}${queuesText}\n`);
  };
  if (configuration.address.value !== undefined) return serve(invocation, configuration, announce);
  if (onlyQueues)
    throw usage('on the embedded server a worker takes every step', `add the default queue: --queues default,${queues?.join(',')}`);
  return endsInTime(terminal, configuration, () =>
    withMetrics(invocation, configuration, async (watch) => {
      const session = await openSession({
        configuration,
        need: 'worker',
        begins: true,
        alwaysWork: true,
        progress: (line) => terminal.err(`${terminal.colors.dim(line)}\n`),
        log: printed(invocation),
        ...defined({ queues, maxConcurrentAgents: agents }),
        ...watchedBy(watch),
      });
      try {
        announce(session.embedded?.identity ?? '', session.client.address);
        await warnUnservedOfFolder(configuration, terminal);
        watch?.report('worker');
        const endCounting = countForAll(watch, configuration, () => session.client.address, printedLog(terminal.logErr));
        const endRetention = keepRetention(configuration, () => session.client.address, printedLog(terminal.logErr));
        await waitForInterrupt(terminal);
        watch?.report('worker', STOPS);
        await Promise.all([endCounting(), endRetention()]);
      } finally {
        await session.close();
      }
      return EXIT.done;
    }),
  );
}

/** Runs only the listener for answers from chats and links, for workers that share its state folder or its secret. */
async function listen(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const given = ['queues', 'agents'].filter((name) => options.text(name) !== undefined);
  if (given.length > 0 || options.list('label').length > 0)
    throw usage('a listener for callbacks takes no steps', 'leave out --queues, --label and --agents');
  const configuration = configurationOf(invocation);
  const port = options.number('callbacksPort');
  const progress = (line: string): void => terminal.err(`${terminal.colors.dim(line)}\n`);
  await requireStore(configuration);
  const session = await openSession({ configuration, need: 'server', progress });
  try {
    const { client } = session;
    const warn = warning(terminal, configuration);
    const listener = await openCallbacks({ configuration, client, terminal, warn, ...defined({ port }) });
    terminal.err(`callbacks at ${listener.url}, for the runs at ${client.address}\n`);
    try {
      await waitForInterrupt(terminal);
    } finally {
      await listener.close();
    }
  } finally {
    await session.close();
  }
  return EXIT.done;
}

/** Serves a configured address. Fails with exit 4 if the server cannot be reached, or stops answering the worker. */
export async function serve(
  invocation: Invocation,
  configuration: Configuration,
  announce: (identity: string, address: string) => void,
): Promise<number> {
  const { terminal } = invocation;
  await requireStore(configuration);
  const host = hostName(terminal.env);
  const log = printed(invocation);
  return endsInTime(terminal, configuration, () =>
    withMetrics(invocation, configuration, async (watch) => {
      const drain = watchDrain(recordsOf(configuration).drained, host, log);
      const interrupt = waitForInterrupt(terminal);
      const endCounting = countForAll(watch, configuration, () => configuration.address.value ?? '', printedLog(terminal.logErr));
      const endRetention = keepRetention(configuration, () => configuration.address.value ?? '', printedLog(terminal.logErr));
      try {
        while (!terminal.interrupted.aborted) {
          const free = drain.until(false);
          const isDrained = await Promise.race([free.then(no), drain.until(true).then(yes), interrupt.then(no)]);
          if (isDrained) {
            const drained = `host ${host} is drained: it takes no work until \`thermidor fleet undrain ${host}\``;
            terminal.err(`${drained}\n`);
            watch?.report('worker', drained);
          }
          await Promise.race([free, interrupt]);
          if (terminal.interrupted.aborted) break;
          const ends = Promise.race([interrupt, drain.until(true)]);
          if (!(await serveUntil(ends, { invocation, configuration, announce, watch }))) break;
        }
      } finally {
        drain.close();
        await Promise.all([endCounting(), endRetention()]);
      }
      return EXIT.done;
    }),
  );
}

/** The log that the process prints, in the form of `--log`. */
function printed({ options, terminal }: Invocation, identity = `thermidor-${process.pid}`): Log {
  return options.text('log') === 'json' ? jsonLog(identity, terminal.logOut) : printedLog(terminal.logErr);
}

const [yes, no] = [() => true, () => false];

interface Served {
  invocation: Invocation;
  configuration: Configuration;
  announce: (identity: string, address: string) => void;
  watch: WatchListener | undefined;
}

/** Runs a worker until it is to end. False if it ended by itself. */
async function serveUntil(ends: Promise<void>, { invocation, configuration, announce, watch }: Served): Promise<boolean> {
  const { options, terminal } = invocation;
  const address = configuration.address.value ?? '';
  const agents = options.number('agents', 1);
  const lease = await leaseWorker(leasedServer(configuration, address), printed(invocation));
  const { identity } = lease;
  const log = both(fileLog(configuration.stateDir.value, identity), printed(invocation, identity));
  const worker = await startOwnWorker({
    configuration,
    address,
    namespace: configuration.namespace.value,
    identity,
    mode: 'full',
    log,
    pipelineDirs: [],
    ...queuesOf(options),
    ...defined({ maxConcurrentAgents: agents }),
    ...watchedBy(watch),
  }).catch((error: unknown) => {
    lease.release();
    throw error;
  });
  let owesNothing = false;
  void giveBackLost(configuration, address, lease, log).then(() => {
    owesNothing = true;
  });
  announce(identity, address);
  if (!queuesOf(options).onlyQueues) await warnUnservedOfFolder(configuration, terminal);
  watch?.report('worker');
  const ended = await Promise.race([ends.then(yes), worker.finished.then(no)]);
  watch?.report('worker', STOPS);
  await stop(worker, terminal);
  // If it broke off, or has not finished what others left, the next worker finds the lease of a process that has ended.
  if (owesNothing) lease.release();
  return ended;
}

async function stop(worker: { shutdown(): Promise<void> }, terminal: Terminal): Promise<void> {
  terminal.err('stopping; steps in flight get a moment to end\n');
  await worker.shutdown();
}

/** The name of the queue for everything without one: workflows, and steps that name none. */
const DEFAULT_QUEUE = 'default';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export interface WorkerQueues {
  /** Steps with one of these as their `queue`. */
  queues?: string[];
  /** Neither workflows nor steps without a queue. */
  onlyQueues?: true;
}

/**
 * What a worker takes, from `--queues default,a,b` and `--label`. A label adds what this host can do to the queues, which are the default
 * one if none is given.
 */
export function queuesOf(options: Options): WorkerQueues {
  const given = options.text('queues');
  const labels = options.list('label');
  const names = given === undefined ? [DEFAULT_QUEUE] : given.split(',').map((name) => name.trim());
  for (const name of [...names, ...labels]) {
    if (!NAME.test(name))
      throw usage(`"${name}" is not a valid name for a queue`, 'letters, digits, _ and -, beginning with a letter or digit, at most 64');
  }
  const queues = [...new Set([...names, ...labels])].filter((name) => name !== DEFAULT_QUEUE);
  if (queues.length === 0) return {};
  return names.includes(DEFAULT_QUEUE) ? { queues } : { queues, onlyQueues: true };
}
