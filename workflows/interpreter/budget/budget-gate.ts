import type { BudgetOrder, BudgetShort } from '../../../plan/budgets/budget';
import { defined } from '../../../plan/defined';
import { unreachable } from '../../../plan/unreachable';
import type { StepContext } from '../context/step-context';
import { hasGateTurn, hasOtherGates, leaveGateTurn, takeGateTurn, untilGateAnswered } from '../gates/gate-queue';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { APPROVALS_CHANNEL } from '../steps/activity-timeouts';
import { type Account, accountAt, ceilingOf, isTeamsBudget, reservedBy } from './accounts';
import type { BudgetQuestion } from './held-reservation';
import { type ReservationOwner, releaseWhileWaiting, waitForBudget, wakeBudgetWaiters } from './reservation';

const MICRO = 1_000_000;
const MINUTE_MS = 60_000;

/**
 * The `extend_budget` that lets work at a ceiling continue: twice that ceiling, and never less than the work is known to need. People see
 * it as a command to paste, so it must be for the ceiling that was reached and no other.
 */
function raisedCeilings(account: Account, short: BudgetShort): BudgetOrder {
  const { ceilings } = account;
  switch (short.kind) {
    case 'tokens':
      return { tokens: Math.max(2 * (ceilingOf(account, 'tokens') ?? 0), short.needed ?? 0, 1) };
    case 'costMicroUsd':
      return { usd: Math.max(2 * (ceilingOf(account, 'costMicroUsd') ?? 0), short.needed ?? 0, 1) / MICRO };
    case 'toolCalls':
      return { tool_calls_per_step: Math.max(2 * (ceilings.toolCallsPerStep ?? 0), short.needed) };
    case 'wallClock':
      return { wall_clock: `${Math.max(1, Math.ceil((2 * (ceilings.wallClockMs ?? 0)) / MINUTE_MS))}m` };
    case 'unknownCost':
      return { on_unknown_cost: 'allow' };
    case 'unlimited':
      return { on_unlimited: 'allow' };
    default:
      return unreachable(short);
  }
}

/**
 * At a ceiling: whether it is the holder's turn to ask for more; if not (false), it has waited for the answer to another's question, and
 * looks again. One question for each account, and one for each step at a time. The account is known before the gate is open, so that others
 * that reach the same ceiling meanwhile do not ask too.
 */
export async function mayAskForMore(it: Interpreter, holder: ReservationOwner, { account: path, short }: BudgetQuestion): Promise<boolean> {
  const { run } = it;
  const { place, key } = holder;
  const account = accountAt(run, path);
  releaseWhileWaiting(it, holder);
  if (othersAsk(it, account, key)) {
    const isAmount = short.kind === 'tokens' || short.kind === 'costMicroUsd';
    await waitForBudget(it, holder, isAmount ? undefined : true);
    return false;
  }
  if (hasOtherGates(it, place, key)) {
    // Another's question is at this step: once it is answered this may lack nothing any more.
    await untilGateAnswered(it, place);
    return false;
  }
  takeGateTurn(it, place, { key, account: path });
  noteReached(it, place, account, short);
  return true;
}

export function noteReached(it: Interpreter, { path }: Place, account: Account, short: BudgetShort): void {
  const { run } = it;
  run.journal.add({ kind: 'budget', step: run.name(path), event: 'reached', reason: statementOf(it, account, path, short) });
}

/**
 * Asks for more, if it is the holder's turn: the run is held at a gate of kind `budget`, until a signal `extend_budget` raises the ceiling
 * or `abort` ends the run.
 */
export async function askForMore(
  it: Interpreter,
  ctx: StepContext,
  key: string,
  holder: ReservationOwner,
  { account: path, short }: BudgetQuestion,
): Promise<void> {
  const { place } = holder;
  // What a step keeps while it waits counts as not coming back. If the answer is remembered, the step has what it was granted since.
  if (hasGateTurn(it, place, holder.key)) releaseWhileWaiting(it, holder);
  const account = accountAt(it.run, path);
  const leave = (): void => {
    leaveGateTurn(it, place, holder.key);
    wakeBudgetWaiters(it);
  };
  try {
    await ctx.gate(key, {
      kind: 'budget',
      // At the moment of the answer: the execution may close by then, and the next one only remembers it.
      taken: leave,
      show: [],
      channel: APPROVALS_CHANNEL,
      statement: statementOf(it, account, place.path, short),
      account: path,
      raise: raisedCeilings(account, short),
      ...defined({ over: holder.over }),
    });
  } catch (error) {
    leave();
    throw error;
  }
}

/** Asks as often as something is lacking that only an answer can bring, such as permission to continue when the time is up. */
export async function askUntilAllowed(
  it: Interpreter,
  ctx: StepContext,
  word: string,
  holder: ReservationOwner,
  lacking: () => BudgetQuestion | undefined,
): Promise<void> {
  for (let n = 1; ; n++) {
    const question = await ctx.through(`${word}-${n}`, async () => {
      for (let wanted = lacking(); wanted; wanted = lacking()) if (await mayAskForMore(it, holder, wanted)) return wanted;
      return undefined;
    });
    if (!question) return;
    await askForMore(it, ctx, `more-${word}-${n}`, holder, question);
  }
}

function othersAsk({ run }: Interpreter, { path }: Account, key: string): boolean {
  return run.index.live(run.state.records).some(([, { attempt }]) => attempt?.question?.account === path && attempt.question.key !== key);
}

function statementOf(it: Interpreter, account: Account, at: string, short: BudgetShort): string {
  const { run } = it;
  const { path, ceilings, book } = account;
  const whose = path === '' ? `The budget of ${run.plan.name}` : `The budget of step ${run.name(path)}`;
  const step = run.name(at);
  switch (short.kind) {
    case 'tokens':
    case 'costMicroUsd': {
      const isTokens = short.kind === 'tokens';
      const amount = (of: number) => (isTokens ? `${of}` : `$${dollars(of)}`);
      const held = reservedBy(run, account, short.kind);
      const reserved = held === 0 ? '' : ` and ${amount(held)} are reserved`;
      const enough = short.needed === undefined || isTokens ? short.needed : wholeHundredths(short.needed);
      const needs = enough === undefined ? '' : `; a ceiling of ${amount(enough)} would let ${step} go on`;
      const ceiling = amount(ceilingOf(account, short.kind) ?? 0);
      return `${whose} is reached: ${amount(book.spent[short.kind])} of ${ceiling}${isTokens ? ' tokens' : ''} are spent${reserved}${needs}.`;
    }
    case 'toolCalls':
      return `${whose} allows ${ceilings.toolCallsPerStep ?? 0} tool calls a ${isTeamsBudget(run, path) ? 'sub-task' : 'step'}, and ${step} needs ${short.needed}.`;
    case 'wallClock':
      return `${whose} is reached: its time of ${Math.round((ceilings.wallClockMs ?? 0) / 1000)} s is up before ${step}.`;
    case 'unknownCost':
      return `${whose} is in dollars, and the price of ${modelOf(short.model)}, which ${step} uses, is unknown: allow it with on_unknown_cost, or add its price.`;
    case 'unlimited':
      return `${whose} is in ${isInDollars(account) ? 'dollars' : 'tokens'}, and the adapter "${short.adapter}" that ${step} uses cannot limit its replies: set on_unlimited: allow in the budget to let it run. It may then exceed the ceiling by the reply in flight.`;
    default:
      return unreachable(short);
  }
}

/** If it says nothing itself, it decides for a budget within it. */
function isInDollars(account: Account): boolean {
  return ceilingOf(account, 'costMicroUsd') !== undefined || ceilingOf(account, 'tokens') === undefined;
}

function modelOf(model: string): string {
  return model === '' ? 'the default model' : `the model ${model}`;
}

/** A suggested ceiling has to suffice. */
function wholeHundredths(microUsd: number): number {
  return Math.ceil(microUsd / HUNDREDTH_OF_A_CENT) * HUNDREDTH_OF_A_CENT;
}

const HUNDREDTH_OF_A_CENT = 100;

/** In hundredths of a cent, as budgets are shown: one request may cost less than a cent. */
function dollars(microUsd: number): string {
  return (microUsd / 1_000_000).toFixed(4);
}
