import { isTransient } from '../../client/server-error';
import { pollersOf } from '../../client/task-queue';
import { capabilityQueue } from '../../plan/run/contract';
import { givenFlags } from '../settings/given-flags';
import type { Terminal } from '../terminal';
import type { Session } from './session';

/** Warns of queues of a run's steps that no worker takes: those steps would wait silently. If this process works, it takes them itself. */
export async function warnUnservedQueues({ client, served }: Session, queues: readonly string[], terminal: Terminal): Promise<void> {
  if (served === 'here' || queues.length === 0) return;
  const counted = await Promise.all(
    queues.map(async (queue) => {
      const pollers = await pollersOf(client, 'activity', Date.now(), capabilityQueue(client.taskQueue, queue)).catch(unknownYet);
      return { queue, taken: pollers === undefined || pollers.length > 0 };
    }),
  );
  const idle = counted.flatMap(({ queue, taken }) => (taken ? [] : [queue]));
  if (idle.length === 0) return;
  const names = idle.join(', ');
  terminal.err(
    `${terminal.colors.yellow('!')} no worker takes steps of ${idle.length === 1 ? 'queue' : 'the queues'} ${names}; they wait for: ` +
      `thermidor worker --queues default,${idle.join(',')}\n`,
  );
}

/** Warns at once that nobody polls the task queue: the run begins when a worker does, and until then there is nothing to see. */
export async function warnNoWorker({ client, served, configuration }: Session, { err, colors }: Terminal, orHere = ''): Promise<void> {
  if (served !== 'unknown') return;
  const pollers = await pollersOf(client, 'workflow').catch(unknownYet);
  if (pollers === undefined || pollers.length > 0) return;
  const line = `thermidor worker${givenFlags(configuration)}`;
  err(
    `${colors.yellow('!')} no worker polls the task queue ${client.taskQueue} at ${client.address}; the run waits for: ${line}${orHere}\n`,
  );
}

/** It is only a remark: if nobody answers at the moment, the run continues without it. */
function unknownYet(error: unknown): undefined {
  if (!isTransient(error)) throw error;
}
