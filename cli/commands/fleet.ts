import type { ThermidorClient } from '../../client/connect';
import { queuesOfOpenRuns, shortQueue, unservedQueues } from '../../client/unserved-queues';
import { versionSkew } from '../../client/version-skew';
import { type FleetWorker, listWorkers } from '../../client/workers';
import { defined } from '../../plan/defined';
import { capabilityQueue } from '../../plan/run/contract';
import type { DrainedHost } from '../../records/drained-hosts';
import { isHostName } from '../../records/locks/host-name';
import type { Records } from '../../records/records';
import type { HeardWorker } from '../../records/worker-sign';
import type { Invocation } from '../command';
import { EXIT, shownFailure, usage } from '../exit';
import { type FleetView, namedRuns, renderFleet } from '../rendering/fleet';
import { renderEmpty } from '../rendering/text/empty';
import { folderAgents } from '../serving/folder-agents';
import { ifNothingHasRun } from '../session/nothing-has-run';
import { patientReader } from '../session/patient-reader';
import { orderedBy } from '../session/send-order';
import { withSession } from '../session/with-session';
import type { Configuration } from '../settings/configuration';
import { givenFlags } from '../settings/given-flags';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';

/** Shows the workers of the task queue by their heartbeats, and queues that nobody serves. */
export async function show(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const empty: FleetView = { taskQueue: configuration.taskQueue.value, workers: [], unserved: [], drained: [], skew: [] };
  const { stored, problems } = patientReader();
  const looked = withSession(invocation, 'server', async ({ client }): Promise<FleetView> => {
    const { queues } = await folderAgents(configuration, terminal.cwd);
    const named = queues.map((queue) => capabilityQueue(client.taskQueue, queue));
    const { drained, heard } = await stored(() => known(recordsOf(configuration)), {});
    const [workers, unserved, skew] = await Promise.all([listWorkers(client, heard), unservedQueues(client, named), versionSkew(client)]);
    return { taskQueue: client.taskQueue, workers, unserved, skew, ...defined({ drained }) };
  });
  const fleet = await ifNothingHasRun(looked, (why) => {
    terminal.err(why);
    return empty;
  });
  if (options.flag('json')) terminal.out(`${JSON.stringify(fleet, null, 2)}\n`);
  else terminal.out(renderFleet(fleet, Date.now(), terminal));
  for (const problem of problems) terminal.err(`${terminal.colors.yellow('!')} what the store has of hosts is not known: ${problem}\n`);
  if (fleet.workers.length === 0)
    terminal.err(renderEmpty('no workers', 'start one on each host with', 'worker', givenFlags(configuration)));
  return EXIT.done;
}

/**
 * Has all workers of a host stop as after SIGTERM, and take nothing until it is undrained. The order is in the store before anybody is
 * asked who
 * works there: a server that does not say, or does not answer, changes nothing of it. Warns of what then waits for the host.
 */
export async function drain(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const host = hostIn(invocation, configuration);
  const { by = 'unknown' } = orderedBy(invocation, configuration.user.value);
  const records = recordsOf(configuration);
  await records.drained.drain(host, by);
  const seen = await orUnseen(withSession(invocation, 'server', ({ client }) => whoIsLeft(client, records, host)));
  if (options.flag('json')) {
    terminal.out(`${JSON.stringify({ host, ...seen })}\n`);
    return EXIT.done;
  }
  const mark = terminal.colors.yellow('!');
  if ('unseen' in seen) {
    terminal.out(`draining ${host}\n`);
    terminal.err(`${mark} its workers obey, but what they do is not known: ${seen.unseen}\n`);
    return EXIT.done;
  }
  const { workers, steps, others, left } = seen;
  terminal.out(`draining ${host}: workers ${workers}, steps in progress ${steps ?? 'unknown'}\n`);
  if (workers === 0) {
    const there = others.length === 0 ? 'no other host has workers' : `hosts with workers: ${others.join(', ')}`;
    terminal.err(`${mark} no worker of that name runs now; one that starts there takes no work; ${there}\n`);
  } else if (others.length === 0)
    terminal.err(`${mark} no other host takes steps: runs wait until a worker starts on one, or \`thermidor fleet undrain ${host}\`\n`);
  for (const { queue, runs } of left)
    terminal.err(`${mark} no other host takes steps of queue ${queue}${runs.length === 0 ? '' : `; waiting: ${namedRuns(runs)}`}\n`);
  return EXIT.done;
}

export async function undrain(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const host = hostIn(invocation, configuration);
  const { drained } = recordsOf(configuration);
  const was = await drained.undrain(host);
  const still = (await drained.list()).map((one) => one.host);
  if (options.flag('json')) terminal.out(`${JSON.stringify({ host, undrained: was, drained: still })}\n`);
  else if (was) terminal.out(`${host} takes work again\n`);
  else terminal.out(`nothing to do: ${host} is not drained${still.length === 0 ? '' : `; drained: ${still.join(', ')}`}\n`);
  return EXIT.done;
}

interface LeftByDrain {
  /** On the host. */
  workers: number;
  /** In progress there. Absent: not all of its workers say so. */
  steps?: number;
  /** Hosts that take work. */
  others: string[];
  left: { queue: string; runs: string[] }[];
}

/** What the store knows of those who work. */
async function known({
  drained,
  presence,
}: Pick<Records, 'drained' | 'presence'>): Promise<{ drained?: DrainedHost[]; heard?: HeardWorker[] }> {
  const [hosts, heard] = await Promise.all([drained.list(), presence(() => undefined).workers()]);
  return { drained: hosts, heard };
}

async function whoIsLeft(client: ThermidorClient, records: Pick<Records, 'drained' | 'presence'>, host: string): Promise<LeftByDrain> {
  const { drained = [], heard } = await known(records);
  const workers = (await listWorkers(client, heard)).filter(({ silent }) => !silent);
  const isDrained = new Set(drained.map((one) => one.host));
  const own = workers.filter((worker) => worker.host === host);
  const working = workers.filter((worker) => !isDrained.has(worker.host) && !worker.stopping);
  return {
    workers: own.length,
    ...defined({ steps: stepsOf(own) }),
    others: [...new Set(working.map((worker) => worker.host))],
    left: await leftQueues(client, own, working),
  };
}

function stepsOf(workers: readonly FleetWorker[]): number | undefined {
  const used = workers.flatMap(({ slots }) => slots?.used ?? []);
  return used.length === workers.length ? used.reduce((sum, one) => sum + one, 0) : undefined;
}

/** Why nobody can be seen, if the server is the cause. */
async function orUnseen<T>(looking: Promise<T>): Promise<T | { unseen: string }> {
  try {
    return await looking;
  } catch (error) {
    const failure = shownFailure(error);
    if (failure?.exit !== EXIT.unreachable) throw error;
    return { unseen: failure.message };
  }
}

/**
 * Queues that no worker but the host's own serves, with the open runs that have something to do there. The host's own queue is not counted.
 */
async function leftQueues(
  client: ThermidorClient,
  own: readonly FleetWorker[],
  working: readonly FleetWorker[],
): Promise<LeftByDrain['left']> {
  const stay = new Set(working.flatMap(({ queues }) => queues));
  const queues = new Set(own.flatMap((worker) => worker.queues));
  const alone = [...queues].filter((queue) => !stay.has(queue) && !shortQueue(client.taskQueue, queue).startsWith('host:'));
  if (alone.length === 0) return [];
  const needed = await queuesOfOpenRuns(client);
  return alone.map((queue) => ({ queue: shortQueue(client.taskQueue, queue), runs: needed.get(queue) ?? [] }));
}

/** Fails with `usage` if it is none, or if there are no hosts. */
function hostIn({ args }: Invocation, configuration: Configuration): string {
  const [host = ''] = args;
  if (!isHostName(host)) throw usage(`"${host.slice(0, 80)}" is not a valid name for a host`, '`thermidor fleet` lists the hosts');
  if (configuration.address.value === undefined)
    throw usage(
      'the embedded server has one host; end its worker with Ctrl-C',
      'hosts of a server of your own: --address, or `address` in thermidor.yaml',
    );
  return host;
}
