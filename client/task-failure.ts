import { NEEDS_NEWER } from '../plan/run/worker-version';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';

/** @param words of the worker that has left the run */
export function workerTooOld(run: string, words: string, cause?: unknown): ClientProblem {
  const message = words.slice(words.indexOf(NEEDS_NEWER));
  return new ClientProblem('worker.too-old', `run "${run}": ${message}`, {
    hint: 'start a worker of that version; the run waits for it, and others go on meanwhile',
    details: { message },
    cause,
  });
}

/** The newest events of a history: a task that fails again and again is in it once, as the last thing. */
const EVENTS = 10;

/** That only a worker of a later version can go on with the run, in the words of the one that has left it. */
export async function newerWorkerNeeded(client: ThermidorClient, run: string): Promise<string | undefined> {
  const { namespace } = client;
  const request = { namespace, execution: { workflowId: run }, maximumPageSize: EVENTS };
  const { history } = await client.call(() => client.temporal.workflowService.getWorkflowExecutionHistoryReverse(request));
  for (const { workflowTaskFailedEventAttributes, workflowTaskCompletedEventAttributes } of history?.events ?? []) {
    if (workflowTaskCompletedEventAttributes) return undefined;
    const message = workflowTaskFailedEventAttributes?.failure?.message;
    if (message) return message.startsWith(NEEDS_NEWER) ? message : undefined;
  }
  return undefined;
}
