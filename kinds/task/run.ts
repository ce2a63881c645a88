import { noTeam, type TaskAnswer, type TaskEnd } from '../../plan/board/asked-task';
import { type TaskNumber, WHOLE_RESULT } from '../../plan/board/task';
import type { AwaitedTicket } from '../../plan/queue/landing';
import { ThermidorFailure } from '../../plan/run/failure';
import { unreachable } from '../../plan/unreachable';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import { deadlineOf } from '../../workflows/interpreter/containers/run-block';
import type { Interpreter, Perform } from '../../workflows/interpreter/interpreter';
import { awaitTicket } from '../../workflows/interpreter/merging/await-ticket';
import { closeTicket, openTicket, withdrawSoon } from '../../workflows/interpreter/merging/open-tickets';
import { type PlaceOf, placeLabel } from '../../workflows/interpreter/scheduling/place';
import { workerActivityOptions } from '../../workflows/interpreter/steps/activity-options';
import { SHORT_ACTIVITY_MS } from '../../workflows/interpreter/steps/activity-timeouts';
import { readable } from '../../workflows/interpreter/steps/step-input';

/**
 * Gives a task to a team that runs by itself, and waits for what comes of it.
 *
 * Invariants: 1. the task's name in the ledger is the address of the try, so a fresh execution, a reset and a retried activity find the
 * same
 * task; 2. it is in state from before it is given until its outcome is known, and whatever ends the wait withdraws it (`open-tickets.ts`);
 * 3. what comes of it is read only from the run's own ledger: a wake, a silence and a fresh execution each make it look there.
 */
export const performTask: Perform<'task'> = async (it, place, _record, ctx) => {
  const dueMs = deadlineOf(it, place.step, ctx);
  it.rest(place);
  const found = await ctx.through('task', () => given(it, place, dueMs));
  it.resume(place);
  if ('id' in found) await composeOutput(it, place, { kind: 'value', value: { id: found.id } });
  else await composeOutput(it, place, { kind: 'value', value: found.output, whole: { result: WHOLE_RESULT } });
  return undefined;
};

type Found = { id: TaskNumber } | Extract<TaskEnd, { kind: 'completed' }>;

/** The first silence. Short, because a team that has just been started may not have its board yet. */
const SILENCE_MS = 5000;
/** While a team is applied anew nobody runs under its id: so often, after so long, it is asked again. */
const MOST_ALONE = 6;
const ALONE_MS = 10_000;

async function given(it: Interpreter, place: PlaceOf<'task'>, dueMs: number | undefined): Promise<Found> {
  const { run } = it;
  const { team } = place.step;
  const address = run.address(place.path);
  const name = `${address}/task`;
  const known = run.state.tickets?.[name];
  const ticket = known ?? openTicket(run, name, { path: place.path, address, team });
  it.changed();
  try {
    const found =
      (await (known?.ticket !== undefined ? looked(it, place, ticket, { name, dueMs }, 'ask') : asked(it, place, ticket, name, dueMs))) ??
      (await awaitTicket(it, place, ticket, {
        ...{ name, dueMs, silenceMs: SILENCE_MS, look: (ask) => looked(it, place, ticket, { name, dueMs }, ask) },
        missing: () =>
          ticket.ticket === undefined
            ? `the team ${team} has not taken the task in time`
            : `task #${ticket.ticket} of the team ${team} is not done in time`,
      }));
    closeTicket(it, name);
    return found;
  } catch (error) {
    // When a run ends, its end withdraws what is open.
    if (!run.ending) withdrawSoon(it, name);
    throw error;
  }
}

async function asked(
  it: Interpreter,
  place: PlaceOf<'task'>,
  ticket: AwaitedTicket,
  name: string,
  dueMs: number | undefined,
): Promise<Found | undefined> {
  const { run } = it;
  const scheduleToCloseMs = dueMs === undefined ? {} : { scheduleToCloseMs: Math.max(1, dueMs - run.ctx.now()) };
  const input = { ...readable(run, place, place.step.inputs), name };
  const options = { address: `${name}/ask`, startToCloseMs: SHORT_ACTIVITY_MS, ...scheduleToCloseMs, ...workerActivityOptions(place) };
  return foundIn(it, place, ticket, await run.activity(place, 'askTask', input, options));
}

async function looked(
  it: Interpreter,
  place: PlaceOf<'task'>,
  ticket: AwaitedTicket,
  { name, dueMs = Number.POSITIVE_INFINITY }: { name: string; dueMs: number | undefined },
  ask?: 'ask',
): Promise<Found | undefined> {
  const { run } = it;
  const input = { run: run.ctx.info.firstRunId, name, ...(ask ? { ask: true as const } : {}) };
  const options = { address: `${name}/answer`, startToCloseMs: SHORT_ACTIVITY_MS, ...workerActivityOptions(place) };
  for (let again = 0; ; again++) {
    const answer = await run.activity(place, 'taskAnswer', input, options);
    if (!answer.isAlone || run.ctx.now() >= dueMs) return foundIn(it, place, ticket, answer);
    if (again === MOST_ALONE) throw noTeam(place.step.team);
    await run.until(Math.min(run.ctx.now() + ALONE_MS, dueMs), placeLabel(place));
  }
}

function foundIn(it: Interpreter, { step, path }: PlaceOf<'task'>, ticket: AwaitedTicket, { id, end }: TaskAnswer): Found | undefined {
  if (id !== undefined && ticket.ticket !== id) {
    ticket.ticket = id;
    it.changed();
  }
  if (end?.kind === 'refused')
    throw new ThermidorFailure('task.refused', `the team ${step.team} does not take the task of ${it.run.name(path)}: ${end.message}`);
  if (step.endsTaken) return id === undefined ? undefined : { id };
  return end && doneAs(end, step.team);
}

function doneAs(end: Exclude<TaskEnd, { kind: 'refused' }>, team: string): Found {
  switch (end.kind) {
    case 'completed':
      return end;
    case 'dropped': {
      const why = end.reason === undefined ? '' : `: ${end.reason}`;
      throw new ThermidorFailure('task.dropped', `task #${end.id} was left out by the team ${team}${why}`);
    }
    case 'left':
      throw new ThermidorFailure('task.left', `the team ${team} has ended, and task #${end.id} is not done`);
    default:
      return unreachable(end);
  }
}
