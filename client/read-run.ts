import { setTimeout } from 'node:timers/promises';
import { QueryNotRegisteredError, QueryRejectedError, WorkflowNotFoundError } from '@temporalio/client';
import type { BoardDetails, BoardQuery } from '../plan/board/board-details';
import type { GateView } from '../plan/people/gate';
import { type AnswerPart, isAnswerPart } from '../plan/run/answer-part';
import type { CarryAnswer, CarryProblem, CarryQuery } from '../plan/run/carry';
import { ASK_AGAIN, OF_CLOSED_RUN } from '../plan/run/contract';
import type { EndContent } from '../plan/run/end-content';
import type { JournalQuery, JournalView } from '../plan/run/journal';
import { type RunView, STATUS_PAGE, STILL_OPENING, type StatusQuery } from '../plan/run/status';
import type { ControlPlan } from '../plan/steps/control';
import { parseJson } from '../plan/text/json-text';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { unlessForgotten } from './ended-runs';
import { grpcCause } from './error-cause';
import { askAgainIfBusy, ofSilentWorker } from './silent-worker';
import { saysTooOld, workerTooOld } from './task-failure';

/**
 * Queries of a run. A closed run answers like an open one, as long as there is a worker. All fail with `worker.missing` if there is none.
 * For a run that the server has forgotten its record answers, without a worker.
 */

/** The run with all its steps, from any number of pages. One that is still opening has none, and no times. */
export async function readStatus(client: ThermidorClient, run: string, limitMs?: number): Promise<RunView> {
  const whole = await query<RunView, [StatusQuery]>(client, run, 'status', [{ offset: 0, limit: STATUS_PAGE }], limitMs);
  const steps = [...whole.steps];
  while (steps.length < (whole.totalSteps ?? 0)) {
    const page = await query<RunView, [StatusQuery]>(client, run, 'status', [{ offset: steps.length, limit: STATUS_PAGE }], limitMs);
    if (page.steps.length === 0) break;
    steps.push(...page.steps);
  }
  return { ...whole, steps, totalSteps: steps.length };
}

/** The controlling part of the plan; the whole frozen plan is in the store, under the reference that `status` gives. */
export function readPlan(client: ThermidorClient, run: string): Promise<ControlPlan> {
  return queryInParts<ControlPlan, object>(client, run, 'plan', {});
}

/** The gates that are open, without the rest of the run. */
export function readGates(client: ThermidorClient, run: string, limitMs?: number): Promise<GateView[]> {
  return query<GateView[], []>(client, run, 'gates', [], limitMs);
}

/** What a rerun from a step would carry over. */
export function readCarry(client: ThermidorClient, run: string, order: CarryQuery): Promise<CarryAnswer | CarryProblem> {
  return queryInParts<CarryAnswer | CarryProblem, CarryQuery>(client, run, 'carry', order);
}

/** The boards of the run, with the messages of one of their members. */
export async function readBoards(client: ThermidorClient, run: string, order: BoardQuery = {}): Promise<BoardDetails[]> {
  const { boards } = await queryInParts<{ boards: BoardDetails[] }, BoardQuery>(client, run, 'boards', order);
  return boards;
}

/** The pages of the journal after number `after`, and the entries that are in no page yet. */
export function readJournalView(client: ThermidorClient, run: string, after: number): Promise<JournalView> {
  return query<JournalView, [JournalQuery]>(client, run, 'journal', [{ after }]);
}

/** All that the run knows of itself, from one moment. */
export function readEnd(client: ThermidorClient, run: string): Promise<EndContent> {
  return queryInParts<EndContent, object>(client, run, 'end', {});
}

/** A possibly long answer, complete and from one moment of the run. */
async function queryInParts<Answer, Argument extends object>(
  client: ThermidorClient,
  run: string,
  name: string,
  argument: Argument,
): Promise<Answer> {
  let text = '';
  let stamp: string | undefined;
  for (let beginnings = 0; beginnings < MOST_BEGINNINGS; ) {
    const asked = { ...argument, part: { from: text.length } };
    const answer = await query<Answer | AnswerPart, [typeof asked]>(client, run, name, [asked]);
    if (!isAnswerPart(answer)) return answer;
    if (answer.stamp !== (stamp ?? answer.stamp)) {
      text = '';
      stamp = undefined;
      beginnings += 1;
      continue;
    }
    stamp = answer.stamp;
    text += answer.part;
    if (text.length >= answer.total || answer.part === '') return parseJson<Answer>(text);
  }
  throw new ClientProblem('run.unreadable', `run "${run}" changes faster than it can be read`, { hint: 'pause it, and try again' });
}
/** How often the run may change between two parts of an answer. */
const MOST_BEGINNINGS = 10;

async function query<Answer, Args extends unknown[]>(
  client: ThermidorClient,
  run: string,
  name: string,
  args: Args,
  limitMs?: number,
): Promise<Answer> {
  try {
    const ask = () => queryPatiently<Answer, Args>(client, run, name, args, limitMs);
    return await unlessForgotten(
      client,
      run,
      () => (limitMs === undefined ? askAgainIfBusy(client, ask) : ask()),
      async (end) => (await end.answer(name, args[0])) as Answer,
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw new ClientProblem('run.not-found', `there is no run "${run}"`, { cause: error });
    if (NEVER_BEGAN.test(grpcCause(error)?.text ?? '')) {
      const hint = `see how with: thermidor why ${run}`;
      throw new ClientProblem('run.unreadable', `run "${run}" was ended before a worker began it`, { hint, cause: error });
    }
    if (!(error instanceof QueryNotRegisteredError || error instanceof QueryRejectedError)) throw await ofSilentWorker(client, error);
    if (saysTooOld(error.message)) throw workerTooOld(`run "${run}"`, error.message, error);
    throw new ClientProblem('run.unreadable', `run "${run}" does not answer the query "${name}": ${error.message}`, {
      hint: `see what happened with: temporal workflow show -w ${run} --address ${client.address}`,
      cause: error,
    });
  }
}

/** The server's words. Nobody can replay such a run. */
const NEVER_BEGAN = /closed before WorkflowTaskStarted/i;

/** Asks a run or a merge queue, and again if its answer says so. Fails as Temporal's client does. */
export async function queryPatiently<Answer, Args extends unknown[]>(
  client: ThermidorClient,
  workflowId: string,
  name: string,
  args: Args,
  limitMs?: number,
): Promise<Answer> {
  const handle = client.temporal.workflow.getHandle(workflowId);
  let type = name;
  const askOnce = () => client.call(() => handle.query<Answer, Args>(type, ...args), limitMs);
  const ask = () =>
    askOnce().catch((error: unknown) => {
      if (!isDropped(error)) throw error;
      return askOnce();
    });
  for (let looks = 1; ; looks += 1) {
    try {
      return await ask();
    } catch (error) {
      const lacksEvents = says(error, ASK_AGAIN);
      if (!(lacksEvents || says(error, STILL_OPENING)) || looks === MOST_LOOKS) throw error;
      if (lacksEvents && (await client.call(() => handle.describe(), limitMs)).status.name !== 'RUNNING') type = `${OF_CLOSED_RUN}${name}`;
      else await setTimeout(LOOK_PAUSE_MS);
    }
  }
}

/** A question that was on its way when the run continued as new: the new execution answers it. */
function isDropped(error: unknown): boolean {
  return grpcCause(error)?.code === GRPC_CANCELLED;
}
const GRPC_CANCELLED = 1;

/**
 * Whether an error has these words. `STILL_OPENING`: the worker has just begun with the run, so that somebody who approves at once is not
 * turned away. `ASK_AGAIN`: the worker gets the last events with the next task, of which a closed run has none.
 */
function says(error: unknown, words: string): boolean {
  return error instanceof QueryNotRegisteredError && error.message.includes(words);
}
const LOOK_PAUSE_MS = 100;
const MOST_LOOKS = 50;
