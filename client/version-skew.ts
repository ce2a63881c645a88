import { shortBuild } from '../plan/run/deployment';
import type { ThermidorClient } from './connect';
import { describeDeployment, liveWorkers } from './fleet-versions';
import { isAlive, readQueue } from './task-queue';

/** A sentence about workers of several versions, and a command that changes it. */
export interface SkewNotice {
  text: string;
  hint: string;
  /** Runs wait for it. */
  blocks: boolean;
}

/** What an operator should know of the versions of the workers that live now; nothing if all of them get work. */
export async function versionSkew(client: ThermidorClient): Promise<SkewNotice[]> {
  // Its only worker is replaced together with the program.
  if (client.embedded) return [];
  const deployment = await describeDeployment(client);
  if (deployment === undefined) return [];
  const { current, ramping, summaries } = deployment;
  const live = await liveBuilds(client);
  const notices: SkewNotice[] = [];
  const now = current === undefined ? 'no version' : `version ${shortBuild(current)}`;
  for (const { build, state } of summaries) {
    const workers = live.get(build);
    // One that is still draining may have runs that are pinned to it.
    if ((state !== 'waiting' && state !== 'drained') || workers === undefined) continue;
    const name = shortBuild(build);
    const text = `version ${name} waits, and its workers take no work: ${named(workers)}; ${now} is current`;
    notices.push({ text, hint: `thermidor fleet promote ${name}`, blocks: false });
  }
  const off = live.get('');
  if (off !== undefined && current !== undefined) {
    const text = `workers with \`versions: off\` take no work: ${named(off)}; ${now} is current`;
    notices.push({ text, hint: 'set the same `versions` on every host', blocks: false });
  }
  if (current !== undefined && !live.has(current)) {
    const hint = 'start one: thermidor worker; workers of another version take its place within a minute';
    notices.push({ text: `no worker takes runs for version ${shortBuild(current)}, which is current`, hint, blocks: true });
  }
  if (ramping !== undefined && !live.has(ramping.build)) {
    const text = `version ${shortBuild(ramping.build)} gets ${ramping.percent} % of the runs, and no worker takes them`;
    const back = current === undefined ? '' : `, or thermidor fleet promote ${shortBuild(current)}`;
    notices.push({ text, hint: `start one${back}`, blocks: true });
  }
  return notices;
}

/** The identities of workers that would take runs, by build; those without a version by ''. */
async function liveBuilds(client: ThermidorClient): Promise<Map<string, string[]>> {
  const { taskQueue } = client;
  const [live, { pollers }] = await Promise.all([liveWorkers(client), readQueue(client, 'workflow', taskQueue)]);
  const found = new Map<string, string[]>();
  for (const poller of pollers) {
    const { identity, build = '' } = poller;
    if (isAlive(poller, live)) found.set(build, [...(found.get(build) ?? []), identity]);
  }
  return found;
}

const NAMED = 3;

function named(workers: readonly string[]): string {
  const more = workers.length - NAMED;
  return `${workers.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
