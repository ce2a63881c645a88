import type { Records } from '../records/records';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import type { WaitReason } from './wait-reason';
import { listWorkers } from './workers';

/** Hosts that take no work by order. */
export interface DrainedFleet {
  hosts: string[];
  /** Whether some other host takes work. Absent: the server does not list workers. */
  othersWork?: boolean;
}

/** Undefined if no host is drained. Fails with `store.unavailable`. */
export async function drainedFleet(
  client: ThermidorClient,
  { drained, presence }: Pick<Records, 'drained' | 'presence'>,
  now = Date.now(),
): Promise<DrainedFleet | undefined> {
  const hosts = (await drained.list()).map(({ host }) => host);
  if (hosts.length === 0) return undefined;
  const heard = await presence(() => undefined).workers();
  const workers = await listWorkers(client, heard, now).catch((error: unknown) => {
    if (!(error instanceof ClientProblem)) throw error;
  });
  if (workers === undefined) return { hosts };
  return { hosts, othersWork: workers.some(({ host, silent, stopping }) => !silent && !stopping && !hosts.includes(host)) };
}

/** In words, if nobody works because hosts are drained. */
export function nobodyWorks({ hosts }: DrainedFleet): { text: string; who: string } {
  const are = hosts.length === 1 ? 'the host is drained' : 'hosts are drained';
  return { text: `no worker takes work: ${are}: ${hosts.join(', ')}`, who: 'an operator: undrain' };
}

/** What the run waits for, by what is drained. A server still knows the polls of a worker that has just been drained. */
export function withDrained(reasons: readonly WaitReason[], fleet: DrainedFleet | undefined): WaitReason[] {
  if (fleet === undefined || reasons.some(({ kind }) => kind === 'ended')) return [...reasons];
  const { hosts, othersWork } = fleet;
  if (othersWork === false)
    return [{ kind: 'drained', ...nobodyWorks(fleet), hosts }, ...reasons.filter(({ kind }) => kind !== 'no-worker' && kind !== 'opening')];
  return reasons.map((reason) =>
    reason.kind === 'no-worker' ? { ...reason, who: `${reason.who ?? 'an operator'}; drained: ${hosts.join(', ')}` } : reason,
  );
}
