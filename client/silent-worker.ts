import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { ofWorker } from './server-error';
import { type Poller, pollersOf } from './task-queue';

/** The problem if a worker has not answered in time. Polls of the last minute tell whether there is no worker or a busy one. */
export async function ofSilentWorker(client: ThermidorClient, error: unknown): Promise<unknown> {
  const problem = ofWorker(error);
  if (!isSilence(problem)) return problem;
  const count = (await pollersSeen(client)).length;
  if (count === 0) return problem;
  const who = count === 1 ? 'one has' : `${count} have`;
  return new ClientProblem(
    'worker.missing',
    `${problem.message}; ${who} polled the task queue ${client.taskQueue} within the last minute`,
    {
      hint: 'a worker that is busy answers later: try again in a moment; its log says what it is doing. If none runs any more, start one with `thermidor worker` or `thermidor up`',
      cause: problem.cause,
    },
  );
}

/** Asks once more if there is a worker that may only be busy. */
export async function askAgainIfBusy<T>(client: ThermidorClient, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isSilence(ofWorker(error)) || (await pollersSeen(client)).length === 0) throw error;
    return await ask();
  }
}

function isSilence(problem: unknown): problem is ClientProblem {
  return problem instanceof ClientProblem && problem.code === 'worker.missing';
}

/** None if the server does not say: then all that is known is that nobody answered. */
async function pollersSeen(client: ThermidorClient): Promise<Poller[]> {
  try {
    return await pollersOf(client, 'workflow');
  } catch (error) {
    if (error instanceof ClientProblem) return [];
    throw error;
  }
}
