import { saysKeyMissing } from '../plan/run/open-messages';
import { NEEDS_NEWER } from '../plan/run/worker-version';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { messageOf } from './payloads';

const LEFT = new RegExp(`the (?:run|queue) ${NEEDS_NEWER} `);

/** Whether an answer is that its worker leaves the run or queue to a later one. */
export function saysTooOld(words: string): boolean {
  return LEFT.test(words);
}

/** @param what it has left: `run "x"` @param words of the worker */
export function workerTooOld(what: string, words: string, cause?: unknown): ClientProblem {
  const message = words.slice(Math.max(0, words.search(LEFT)));
  return new ClientProblem('worker.too-old', `${what}: ${message}`, {
    hint: 'start a worker of that version; the run waits for it, and everything else continues',
    details: { message },
    cause,
  });
}

/** The newest events of a history: a task that fails again and again is in it once, as the last thing. */
const EVENTS = 10;

/** Why a worker cannot continue a run or a merge queue, in its words: it is too old, or lacks a key. */
export async function newerWorkerNeeded(client: ThermidorClient, workflowId: string): Promise<string | undefined> {
  const { namespace } = client;
  const request = { namespace, execution: { workflowId }, maximumPageSize: EVENTS };
  const { history } = await client.call(() => client.temporal.workflowService.getWorkflowExecutionHistoryReverse(request));
  for (const { workflowTaskFailedEventAttributes, workflowTaskCompletedEventAttributes } of history?.events ?? []) {
    if (workflowTaskCompletedEventAttributes) return undefined;
    const message = await messageOf(client, workflowTaskFailedEventAttributes?.failure);
    if (message) return message.search(LEFT) === 0 || saysKeyMissing(message) ? message : undefined;
  }
  return undefined;
}
