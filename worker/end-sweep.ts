import { lacksRecord, recordClosed } from '../activities/run/record-closed';
import { isAnswerPart } from '../plan/run/answer-part';
import { OF_CLOSED_RUN } from '../plan/run/contract';
import { ThermidorFailure } from '../plan/run/failure';
import { isJsonPayload, readJsonPayload } from '../plan/run/json-payload';
import type { Json } from '../plan/text/json';
import { parseJson } from '../plan/text/json-text';
import { readEndContent } from '../records/runs/read-end-content';
import {
  ask,
  type ClosedExecution,
  type ClosedRunsOptions,
  type ClosedStatus,
  closedByServer,
  closedExecutions,
  type ListingServer,
} from './closed-executions';

/**
 * Writes the records of runs that could not do so: the server has ended them, or they failed before they began. A run writes its own with
 * its last page of the journal.
 *
 * Invariants: 1. one run after the other, each by one worker of all; 2. the first look is at all that the server still knows, later ones
 * at what has closed since the last that missed nothing; 3. the run is asked what it was when it ended, which replays it, at most a few
 * times: then its record says only how it ended.
 */
export interface EndSweep {
  /** Executions that need no further look, by id. */
  settled: Set<string>;
  /** How often a run was asked in vain. */
  askedInVain: Map<string, number>;
  /** What closed before has its record. Absent: nobody has looked yet. */
  since?: Date;
}

/** Lists may lag behind what has happened. */
const LAG_MS = 10 * 60_000;
const MOST_ASKED = 3;
const SWEPT: readonly ClosedStatus[] = ['Terminated', 'TimedOut', 'Failed'];

export function startEndSweep(): EndSweep {
  return { settled: new Set(), askedInVain: new Map() };
}

export async function sweepEnds(options: ClosedRunsOptions, sweep: EndSweep, signal: AbortSignal): Promise<void> {
  const begins = Date.now();
  let missed = false;
  for await (const closed of closedExecutions(options, SWEPT, sweep.since)) {
    if (signal.aborted) return;
    if (sweep.settled.has(closed.runId)) continue;
    try {
      if (await recordOf(options, closed, sweep, signal)) sweep.settled.add(closed.runId);
      else missed = true;
    } catch (error) {
      missed = true;
      options.log('debug', 'the record of a run that the server ended could not be written', {
        workflowId: closed.workflowId,
        error: String(error),
      });
    }
  }
  if (!missed && !signal.aborted) sweep.since = new Date(begins - LAG_MS);
}

/** Whether that is settled. */
async function recordOf(options: ClosedRunsOptions, execution: ClosedExecution, sweep: EndSweep, signal: AbortSignal): Promise<boolean> {
  const { server, namespace, toolbox } = options;
  const { workflowId, runId, run, closedAt } = execution;
  if (!(await lacksRecord(toolbox, { workflowId, run, execution: runId, closedAt }))) return true;
  const closed = await closedByServer(server, namespace, execution, SWEPT);
  if (closed === undefined) return true;
  return await recordClosed(toolbox, closed, signal, async () => {
    const vain = sweep.askedInVain.get(runId) ?? 0;
    if (vain >= MOST_ASKED) return undefined;
    sweep.askedInVain.set(runId, vain + 1);
    return readEndContent(await unlessAborted(signal, askForEnd(server, namespace, execution)), { workflowId, run });
  });
}

/** A worker that stops answers no query any more. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new ThermidorFailure('worker.lost', 'the worker stops'));
  });
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** What a closed run says of itself. Undefined if it does not answer: it never opened, or no worker can replay it. */
async function askForEnd(server: ListingServer, namespace: string, execution: ClosedExecution): Promise<Json | undefined> {
  for (let text = ''; ; ) {
    const answer = await queryEnd(server, namespace, execution, text.length);
    if (!isAnswerPart(answer)) return answer;
    text += answer.part;
    if (text.length >= answer.total || answer.part === '') return parseJson(text);
  }
}

async function queryEnd(
  server: ListingServer,
  namespace: string,
  { workflowId, runId }: ClosedExecution,
  from: number,
): Promise<Json | undefined> {
  const argument = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify({ part: { from } })) };
  const query = { queryType: `${OF_CLOSED_RUN}end`, queryArgs: { payloads: [argument] } };
  try {
    const request = { namespace, execution: { workflowId, runId }, query };
    const { queryResult } = await ask(server, () => server.workflowService.queryWorkflow(request));
    const [payload] = queryResult?.payloads ?? [];
    return payload && isJsonPayload(payload) ? readJsonPayload(payload) : undefined;
  } catch (error) {
    if (isQueryFailed(error)) return undefined;
    throw error;
  }
}

/** `INVALID_ARGUMENT`: the run has answered with a failure. */
function isQueryFailed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 3;
}
