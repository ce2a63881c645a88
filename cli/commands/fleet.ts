import type { ThermidorClient } from '../../client/connect';
import { queuesOfOpenRuns, shortQueue, unservedQueues } from '../../client/unserved-queues';
import { type FleetWorker, listWorkers } from '../../client/workers';
import { capabilityQueue } from '../../plan/run/contract';
import { isHostName } from '../../records/locks/host-name';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { type FleetView, namedRuns, renderFleet } from '../rendering/fleet';
import { renderEmpty } from '../rendering/text/empty';
import { folderAgents } from '../serving/folder-agents';
import { ifNothingHasRun } from '../session/nothing-has-run';
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
  const empty: FleetView = { taskQueue: configuration.taskQueue.value, workers: [], unserved: [], drained: [] };
  const looked = withSession(invocation, 'server', async ({ client }): Promise<FleetView> => {
    const { queues } = await folderAgents(configuration, terminal.cwd);
    const named = queues.map((queue) => capabilityQueue(client.taskQueue, queue));
    const drained = await recordsOf(configuration).drained.list();
    const [workers, unserved] = await Promise.all([listWorkers(client), unservedQueues(client, named)]);
    return { taskQueue: client.taskQueue, workers, unserved, drained };
  });
  const fleet = await ifNothingHasRun(looked, (why) => {
    terminal.err(why);
    return empty;
  });
  if (options.flag('json')) terminal.out(`${JSON.stringify(fleet, null, 2)}\n`);
  else terminal.out(renderFleet(fleet, Date.now(), terminal));
  if (fleet.workers.length === 0)
    terminal.err(renderEmpty('no workers', 'start one on each host with', 'worker', givenFlags(configuration)));
  return EXIT.done;
}

/** Has all workers of a host stop as after SIGTERM, and take nothing until it is undrained. Warns of what then waits for it. */
export async function drain(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const host = hostIn(invocation, configuration);
  const { by = 'unknown' } = orderedBy(invocation, configuration.user.value);
  return await withSession(invocation, 'server', async ({ client }) => {
    const workers = (await listWorkers(client)).filter(({ silent }) => !silent);
    const { drained } = recordsOf(configuration);
    await drained.drain(host, by);
    const left = await leftQueues(client, workers, host, new Set((await drained.list()).map((one) => one.host)));
    const own = workers.filter((worker) => worker.host === host);
    const steps = own.reduce((sum, { slots }) => sum + slots.used, 0);
    if (options.flag('json')) {
      terminal.out(`${JSON.stringify({ host, workers: own.length, steps, left })}\n`);
      return EXIT.done;
    }
    terminal.out(`draining ${host}: workers ${own.length}, steps in progress ${steps}\n`);
    const mark = terminal.colors.yellow('!');
    if (own.length === 0) terminal.err(`${mark} no worker of that name runs now; one that starts there takes no work\n`);
    for (const { queue, runs } of left)
      terminal.err(`${mark} no other host takes steps of queue ${queue}${runs.length === 0 ? '' : `; waiting: ${namedRuns(runs)}`}\n`);
    return EXIT.done;
  });
}

export async function undrain(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const host = hostIn(invocation, configuration);
  const was = await recordsOf(configuration).drained.undrain(host);
  if (options.flag('json')) terminal.out(`${JSON.stringify({ host, undrained: was })}\n`);
  else terminal.out(was ? `${host} takes work again\n` : `nothing to do: ${host} is not drained\n`);
  return EXIT.done;
}

/**
 * Queues that only the workers of the host serve, apart from hosts that are drained too, with the open runs that have something to do
 * there. The host's own queue is not counted.
 */
async function leftQueues(
  client: ThermidorClient,
  workers: readonly FleetWorker[],
  host: string,
  drained: ReadonlySet<string>,
): Promise<{ queue: string; runs: string[] }[]> {
  const stay = new Set(workers.filter((worker) => !drained.has(worker.host) && !worker.stopping).flatMap(({ queues }) => queues));
  const own = new Set(workers.filter((worker) => worker.host === host).flatMap(({ queues }) => queues));
  const alone = [...own].filter((queue) => !stay.has(queue) && !shortQueue(client.taskQueue, queue).startsWith('host:'));
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
