import type { BudgetShort } from '../../../plan/budgets/budget';
import { addUsage, type Usage } from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { HandedEvent } from '../../../plan/run/journal';
import type { StepOutput } from '../../../plan/steps/step-activity';
import { unreachable } from '../../../plan/unreachable';
import { Cancelled } from '../../run-context';
import { isBudgeted } from '../budget/accounts';
import { askForMore, mayAskForMore, noteReached } from '../budget/budget-gate';
import { chargeFor, endsTurn, noteShort, type ReservationOwner, release, takeUpReservation } from '../budget/reservation';
import { type Reserved, reserve } from '../budget/reserve';
import type { LogScope } from '../context/attempt-log';
import type { StepContext } from '../context/step-context';
import { inGateQueue, leaveGateTurn } from '../gates/gate-queue';
import { allowedAt, leaveFor } from '../gates/step-grant';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { isSuperseded, type Place } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import { noteBegins, noteBeginsOfFailure } from '../steps/work-times';
import { holdBack, untilRoom } from '../streams/stream-room';
import type { AgentCall } from './agent-call-spec';
import { newsFor } from './call-news';
import { decideNow, untilDecided } from './decisions';
import { hasExchanges, openExchanges } from './exchanges';
import { lostUsage, workOf } from './failed-usage';
import { keepFailedContext } from './owner-context';
import { takeRunRequests } from './run-requests';
import { openSpawnedAgents, type SpawnedAgents } from './spawned-agents';
import type { Lack, TurnEnd } from './turn-end';

/** A context with a log of its own. */
export type OpenContext = (place: Place, scope: LogScope) => StepContext;

/**
 * Calls an agent until its work is done. When it pauses, for budget, for a person's approval, for children that it spawned, it gets what it
 * lacks and the same activity continues from its transcript. Its usage is charged as it goes, even if it fails. Each of its turns has a
 * log, so that a fresh execution continues with what the agent lacks.
 */
export async function callAgent(it: Interpreter, place: Place, given: AgentCall, open: OpenContext): Promise<StepOutput> {
  const { keeps } = given;
  let output: StepOutput | undefined;
  const call: AgentCall = {
    ...given,
    done(brought) {
      output = brought;
      given.done?.(brought);
    },
  };
  const exchanges = openExchanges(it, place, call, (used) => chargeFor(it, holderOf(place, call), used));
  const children = openSpawnedAgents(it, place, call, (at, child) => callAgent(it, at, child, open), exchanges?.woken);
  takeUpReservation(it, given.address);
  try {
    children.begin();
    for (;;) {
      keeps.turn ??= [];
      const ctx = open(place, keeps.turn);
      const end = await takeTurn(it, place, call, ctx, children);
      if ('output' in end) return exchanges ? await exchanges.ended(ctx, end.output) : end.output;
      // What a member has sent before comes before what it asks.
      if (end.exchanged && exchanges) await ctx.through('exchanged', exchanges.untilTaken);
      await provide(it, place, call, ctx, children, end.lacks);
      keeps.turn = [];
    }
  } catch (error) {
    // A child that ends before the failure of its parent's call reaches it is done.
    if (output && place.child?.over) return output;
    if (exchanges && error instanceof ThermidorFailure) await exchanges.failed();
    // The reservation that the turn remembers is no longer valid.
    delete keeps.turn;
    leaveGateTurn(it, place, call.address);
    // If the step or the run ends, all that it has in progress is cancelled together.
    const ends = error instanceof ThermidorFailure ? children.endAll() : undefined;
    if (ends) await ends;
    throw error;
  } finally {
    children.close();
    // Whatever it ended with: others would wait forever for what stays reserved.
    if (keeps.hold) release(it, holderOf(place, call));
  }
}

/** Without a limit, this costs no promise in addition to that of the call. */
function takeTurn(it: Interpreter, place: Place, call: AgentCall, ctx: StepContext, children: SpawnedAgents): Promise<TurnEnd> {
  const { run } = it;
  const { address, options } = call;
  const request = ({ limits: budget, spent = call.keeps.spent }: Reserved = {}): Promise<TurnEnd> => {
    if (spent) endOfSpent(place, call, spent);
    const input = () => {
      children.begun();
      return { ...call.input(), ...defined({ budget, spent }), ...newsFor(run, call), ...allowedAt(run, place) };
    };
    return ctx.callThen(
      'turn',
      'agent',
      input,
      { ...options, address },
      {
        done: (output) => {
          const end = endOfTurn(it, place, call, children, output);
          return 'lacks' in end && hasExchanges(call, output) ? { ...end, exchanged: true } : end;
        },
        failed: (error) => noteFailed(it, place, call, error),
      },
    );
  };
  if (call.keeps.spent) return request();
  const isLimited = ctx.once('limited', () => isBudgeted(run, place));
  return isLimited ? reserve(it, ctx, holderOf(place, call)).then(request) : request();
}

/** A member's turn ends with what it has said. An agent that it has spawned has nobody who reads what it might still say: it fails. */
function endOfSpent({ child, path }: Place, { keeps, agent }: AgentCall, spent: BudgetShort): void {
  keeps.spent = spent;
  if (child) throw new ThermidorFailure('board.task-spent', `the budget of the task is used up, for which ${agent} works at ${path}`);
}

/** The result of a turn is charged, journalled and released in one step with the mark that it is over. */
function endOfTurn(it: Interpreter, place: Place, call: AgentCall, children: SpawnedAgents, output: StepOutput): TurnEnd {
  noteEvents(it, call.keeps, output.journal);
  const { paused } = output;
  if (!paused) {
    // A member is done once all that it has sent is taken up.
    if (!hasExchanges(call, output)) call.done?.(output);
    noteBegins(it.run, place.path, output);
    noteMade(it.run, place, output);
    settleUp(it, place, undefined, call, output.usage);
    return { output };
  }
  const holder = holderOf(place, call);
  chargeFor(it, holder, output.usage);
  switch (paused.kind) {
    case 'budget': {
      const account = noteShort(it, holder, paused.short);
      const ask = account && { account: account.path, short: paused.short };
      if (!ask || !endsTurn(it.run, place, ask)) return { lacks: { kind: 'budget', ...defined({ ask }) } };
      noteReached(it, place, account, paused.short);
      call.keeps.spent = paused.short;
      return { lacks: { kind: 'budget' } };
    }
    case 'approval':
    case 'grant':
      release(it, holder);
      return { lacks: { kind: 'leave', need: paused.need } };
    case 'spawned':
      release(it, holder);
      return { lacks: { kind: 'children', awaits: children.admit(paused.children, paused.goesOn === true) } };
    case 'run-requests':
      return { lacks: { kind: 'requests', runRequests: paused.runRequests } };
    case 'decision': {
      const asks = hasExchanges(call, output) ? paused.asks : decideNow(it, place, call.keeps, paused.asks);
      if (asks.length > 0) release(it, holder);
      return { lacks: { kind: 'decisions', asks } };
    }
    case 'in-line':
      release(it, holder);
      return { lacks: { kind: 'slot' } };
    case 'held-back':
      release(it, holder);
      holdBack(it.run, place);
      return { lacks: { kind: 'room' } };
    case 'cancelled':
      // A child of a repeated try continues where it was, and its usage so far counts once.
      if (!place.child?.over) settleUp(it, place, it.run.record(place.path), call, output.usage);
      return { lacks: { kind: 'cancelled' } };
    default:
      return unreachable(paused);
  }
}

async function provide(
  it: Interpreter,
  place: Place,
  call: AgentCall,
  ctx: StepContext,
  children: SpawnedAgents,
  lack: Lack,
): Promise<void> {
  switch (lack.kind) {
    case 'budget': {
      const { ask } = lack;
      const holder = holderOf(place, call);
      if (!ask || !(await ctx.through('turn-to-ask', () => mayAskForMore(it, holder, ask)))) return;
      return askForMore(it, ctx, 'more', holder, ask);
    }
    case 'leave': {
      await inGateQueue(it, place, ctx, { key: call.address }, () => leaveFor(it, place, ctx, lack.need, call.agent));
      return;
    }
    case 'children':
      return children.untilOneEnds(ctx, lack.awaits);
    case 'requests':
      return ctx.through('requests', () => takeRunRequests(it, place, call.keeps, lack.runRequests));
    case 'decisions':
      return lack.asks.length === 0 ? undefined : untilDecided(it, place, ctx, call.keeps, lack.asks);
    case 'slot':
      return children.untilTurn(ctx);
    case 'room':
      return untilRoom(it, place, ctx);
    case 'cancelled':
      throw new Cancelled();
    default:
      return unreachable(lack);
  }
}

/** The usage of a failed try; that of an unneeded one is charged already. */
function noteFailed(it: Interpreter, place: Place, call: AgentCall, error: unknown): void {
  if (place.child?.over) return;
  const work = workOf(error);
  const { usage, journal, context } = work;
  const record = it.run.state.records[place.path];
  if (record && !place.child) keepFailedContext(record, place.step, context);
  noteEvents(it, call.keeps, journal);
  noteBeginsOfFailure(it.run, place.path, error);
  noteMade(it.run, place, work);
  settleUp(it, place, record, call, usage ?? lostUsage(call.keeps, error));
}

/** A try has ended: its calls of tools and its requests, and those of each agent that it has spawned, count for work that counts them. */
function noteMade({ state }: Run, { path }: Place, { toolCalls = 0, requests = 1 }: Pick<StepOutput, 'toolCalls' | 'requests'>): void {
  const brief = state.records[path]?.brief;
  if (brief?.toolCalls !== undefined) brief.toolCalls += toolCalls;
  if (brief?.requests !== undefined) brief.requests += requests;
}

/** An activity returns the events of its whole try: those that the journal already has are left out. */
function noteEvents({ run }: Interpreter, keeps: AgentCall['keeps'], events: readonly HandedEvent[] = []): void {
  for (const event of events.slice(keeps.journalled ?? 0)) run.journal.add(event);
  if (events.length > 0) keeps.journalled = events.length;
}

function holderOf(place: Place, { address, keeps }: AgentCall): ReservationOwner {
  keeps.hold ??= { granted: {}, charged: { tokens: 0, costMicroUsd: 0 } };
  return { key: address, place, hold: keeps.hold, ...defined({ over: place.child && (() => isSuperseded(place)) }) };
}

/** The try is over: its usage is charged, the rest given back. The usage of a failed one is kept in its record. */
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
