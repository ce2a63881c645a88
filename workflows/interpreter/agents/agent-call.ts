import { addUsage, UNREPORTED_USAGE, type Usage } from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import type { ApprovalNeed } from '../../../plan/people/category';
import { type FailedWork, ThermidorFailure } from '../../../plan/run/failure';
import type { HandedEvent } from '../../../plan/run/journal';
import type { StepInput, StepOutput } from '../../../plan/steps/step-activity';
import { unreachable } from '../../../plan/unreachable';
import { Cancelled } from '../../run-context';
import { isBudgeted } from '../budget/accounts';
import { askForMore, questionLeft } from '../budget/budget-gate';
import { chargeFor, noteShort, type ReservationOwner, release } from '../budget/reservation';
import { reserve } from '../budget/reserve';
import { runsStartedBy } from '../containers/started-runs';
import { inGateQueue } from '../gates/gate-queue';
import { approvalFor } from '../gates/step-approval';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { isSuperseded, type Place } from '../scheduling/place';
import { attemptOf, type StepRecord } from '../state/step-record';
import type { AgentCall } from './agent-call-spec';
import type { AgentCallState } from './agent-call-state';
import { takeRunRequests } from './run-requests';
import { openSpawnedAgents, type SpawnedAgents } from './spawned-agents';

/**
 * Calls an agent until its work is done. Where it pauses, for budget, for a person's yes, for children that it spawned, it gets what it
 * lacks and the same activity continues from its transcript. What it uses is charged as it goes, also where it fails.
 */
export async function callAgent(it: Interpreter, place: Place, call: AgentCall): Promise<StepOutput> {
  const { run } = it;
  const record = run.record(place.path);
  const attempt = attemptOf(record);
  const { address, options, keeps } = call;
  const brood = openSpawnedAgents(it, place, call, (at, child) => callAgent(it, at, child));
  try {
    const left = takenUp(it, place, call, brood);
    if (left) await left;
    for (;;) {
      const budget = isBudgeted(run, place) ? await reserve(it, holderOf(place, call)) : undefined;
      if (place.child?.over) throw new Cancelled();
      const input = call.input();
      const output = await run
        .activity(
          place,
          'agent',
          {
            ...input,
            ...defined({ budget }),
            ...newsFor(run, call),
            ...defined({ approvals: attempt.approvals }),
          },
          { ...options, address },
        )
        .catch((error: unknown) => {
          if (place.child?.over) throw new Cancelled();
          const { usage, journal } = workOf(error);
          noteEvents(it, keeps, journal);
          settleUp(it, place, record, call, usage ?? lostUsage(keeps, error));
          throw error;
        });
      noteEvents(it, keeps, output.journal);
      if (!output.paused) {
        call.done?.(output);
        settleUp(it, place, undefined, call, output.usage);
        return output;
      }
      const holder = holderOf(place, call);
      chargeFor(it, holder, output.usage);
      const { paused } = output;
      // It paused before it got the cancellation.
      if (isSuperseded(place)) throw new Cancelled();
      switch (paused.kind) {
        case 'budget': {
          const asks = noteShort(it, holder, paused.short);
          if (asks) await askForMore(it, holder, asks, paused.short);
          break;
        }
        case 'approval': {
          release(it, holder);
          await askLeave(it, place, call, paused.need);
          break;
        }
        case 'spawned':
          release(it, holder);
          await brood.untilNews(paused.children, paused.goesOn === true);
          break;
        case 'run-requests':
          await takeRunRequests(it, place, keeps, paused.runRequests);
          break;
        case 'in-line':
          release(it, holder);
          await brood.untilTurn();
          break;
        case 'cancelled':
          // A child of a try that is made again continues where it was, and what it has used by then counts once.
          if (place.child?.over) throw new Cancelled();
          settleUp(it, place, record, call, output.usage);
          throw new Cancelled();
        default:
          return unreachable(paused);
      }
    }
  } catch (error) {
    // Where the step or the run ends, all that it has in progress is cancelled together.
    const ends = error instanceof ThermidorFailure ? brood.endAll() : undefined;
    if (ends) await ends;
    throw error;
  } finally {
    brood.close();
    // Whatever it ended with: what stays reserved is waited for forever.
    if (keeps.hold) release(it, holderOf(place, call));
  }
}

/**
 * What the call was at when an execution before closed: a question that it had put comes first, because what it lacks by now is asked for
 * afterwards; then its children. Undefined for most calls, which pay for no promise.
 */
function takenUp(it: Interpreter, place: Place, call: AgentCall, brood: SpawnedAgents): Promise<void> | undefined {
  const { address, keeps } = call;
  const asked = keeps.need ? askLeave(it, place, call, keeps.need) : questionLeft(it, place, address);
  if (!asked) return keeps.spawned && brood.resume();
  return asked.then(() => keeps.spawned && brood.resume());
}

async function askLeave(it: Interpreter, place: Place, { address, agent, keeps }: AgentCall, need: ApprovalNeed): Promise<void> {
  await inGateQueue(it, place, { key: address }, async () => {
    keeps.need = need;
    try {
      const approval = await approvalFor(it, place, { need, agent });
      const attempt = attemptOf(it.run.record(place.path));
      attempt.approvals = [...(attempt.approvals ?? []), approval];
    } finally {
      delete keeps.need;
    }
  });
}

/** What an activity hands up is of its whole try: what the journal has already is left out. */
function noteEvents({ run }: Interpreter, keeps: AgentCall['keeps'], events: readonly HandedEvent[] = []): void {
  for (const event of events.slice(keeps.journalled ?? 0)) run.journal.add(event);
  if (events.length > 0) keeps.journalled = events.length;
}

function holderOf(place: Place, { address, keeps }: AgentCall): ReservationOwner {
  keeps.hold ??= { granted: {}, charged: { tokens: 0, costMicroUsd: 0 } };
  return { key: address, place, hold: keeps.hold, ...(place.child ? { over: () => isSuperseded(place) } : {}) };
}

/** The try is over: what it used is charged, the rest given back. What a failed one used is kept in its record. */
function settleUp(it: Interpreter, place: Place, failed: StepRecord | undefined, call: AgentCall, usage: Usage | undefined): void {
  const { keeps } = call;
  if (keeps.hold || usage) {
    const holder = holderOf(place, call);
    chargeFor(it, holder, usage);
    release(it, holder);
    delete keeps.hold;
  }
  const sum = failed && addUsage(failed.usage, usage);
  if (failed && sum) failed.usage = sum;
}

/** Children that have ended and that their parent has no report of, and what it need not hand up again. */
function newsFor(run: Run, { agent, keeps: { spawned, runRequests } }: AgentCall): Pick<StepInput, 'spawned' | 'runRequests' | 'started'> {
  const ended = (spawned ?? []).flatMap(({ result }) => (result ? [result] : []));
  return { ...(ended.length > 0 ? { spawned: ended } : {}), ...defined({ runRequests }), ...runsStartedBy(run, agent) };
}

function workOf(error: unknown): FailedWork {
  return (error instanceof ThermidorFailure ? error.work : undefined) ?? {};
}

/** A try whose worker was lost has spent all the dollars that it was given, for all anybody knows. */
function lostUsage({ hold }: AgentCallState, error: unknown): Usage | undefined {
  const granted = hold?.granted.costMicroUsd;
  if (granted === undefined || !(error instanceof ThermidorFailure) || error.code !== 'worker.lost') return undefined;
  return { ...UNREPORTED_USAGE, atMostMicroUsd: granted };
}
