import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import { listWorkers } from '../../client/workers';
import { hostQueue } from '../../plan/run/worktree';
import type { Records } from '../../records/records';
import { type Check, errorMessageOf } from './check';

/**
 * Warns of workers of this task queue that work with another store: they take runs of which they find nothing there. None if all workers
 * have given this store a sign of life, or the server lists none.
 */
export async function otherStoreChecks(client: ThermidorClient, { presence }: Pick<Records, 'presence'>): Promise<Check[]> {
  try {
    const heard = await presence(() => undefined).workers();
    const known = new Set(heard.map(({ identity }) => identity));
    // A worker gives its first sign before it serves its host's queue. A command that answers for runs for a moment gives none.
    const host = hostQueue(client.taskQueue, '');
    const strangers = (await listWorkers(client, heard)).filter(
      ({ identity, queues, silent, stopping }) =>
        !silent && !stopping && queues.some((queue) => queue.startsWith(host)) && !known.has(identity),
    );
    if (strangers.length === 0) return [];
    const who = strangers.map(({ identity }) => identity).join(', ');
    return [
      {
        ...{ name: 'workers', state: 'warning', says: `${who}: of task queue ${client.taskQueue}, but not of this store` },
        hint: 'installations with stores of their own need a `task_queue` each',
      },
    ];
  } catch (error) {
    if (error instanceof ClientProblem && error.code === 'server.refused') return [];
    return [{ name: 'workers', state: 'warning', says: `cannot be looked at: ${errorMessageOf(error)}` }];
  }
}
