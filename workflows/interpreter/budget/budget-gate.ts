import type { BudgetOrder, BudgetShort } from '../../../plan/budgets/budget';
import { defined } from '../../../plan/defined';
import type { Decision } from '../../../plan/people/gate';
import { unreachable } from '../../../plan/unreachable';
import { hasOtherGates, inGateQueue, untilGateAnswered, withdrawGate } from '../gates/gate-queue';
import { decisionAt } from '../gates/gates';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { APPROVALS_CHANNEL } from '../steps/activity-timeouts';
import { type Account, ceilingOf, reservedBy } from './accounts';
import { type ReservationOwner, releaseWhileWaiting, waitForBudget, wakeBudgetWaiters } from './reservation';

const MICRO = 1_000_000;
const MINUTE_MS = 60_000;

/**
 * What `extend_budget` may bring so that work which has come to a ceiling continues: twice that ceiling, and never less than what the
 * work is known to need. People are shown it as a line to paste, so it must be of the ceiling that was reached and no other.
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
 * A ceiling is reached: the run is held at a gate of kind `budget`, until a signal `extend_budget` raises it or `abort` ends the run.
 * One gate an account: what else comes to the same ceiling waits for its answer.
 */
export async function askForMore(it: Interpreter, holder: ReservationOwner, account: Account, short: BudgetShort): Promise<void> {
  const { run } = it;
  const { place } = holder;
  releaseWhileWaiting(it, holder);
  const record = run.record(place.path);
  const isAmount = short.kind === 'tokens' || short.kind === 'costMicroUsd';
  if (othersAsk(it, account, holder.key)) return await waitForBudget(it, holder, isAmount ? undefined : true);
  if (hasOtherGates(it, place, holder.key)) {
    // Another's question is at this step: once it is answered this may lack nothing any more.
    return await untilGateAnswered(it, place);
  }
  const statement = statementOf(it, account, place.path, short);
  if (!record.gate) run.journal.add({ kind: 'budget', step: run.name(place.path), event: 'reached', reason: statement });
  const ask = (): Promise<Decision> =>
    decisionAt(it, place, {
      kind: 'budget',
      show: [],
      channel: APPROVALS_CHANNEL,
      statement,
      account: account.path,
      raise: raisedCeilings(account, short),
      ...defined({ over: holder.over }),
    });
  try {
    // The account is known before the gate is open: what reaches the same ceiling meanwhile asks for none of its own.
    await inGateQueue(it, place, { key: holder.key, account: account.path }, ask);
  } finally {
    wakeBudgetWaiters(it);
  }
}

/**
 * The question that an execution before has put for the same holder is answered first: more may have come meanwhile, so that nobody
 * would ask for it again, and the gate would stay open. Undefined where there is none: most pay for no promise.
 */
export function questionLeft(it: Interpreter, place: Place, key: string): Promise<void> | undefined {
  const { attempt, gate } = it.run.record(place.path);
  const { key: asking, account } = attempt?.question ?? {};
  if (asking !== key || account === undefined) return undefined;
  if (gate?.kind === 'budget') return answerTo(it, place, { key, account, statement: gate.question });
  // It was not put yet: who still lacks something puts it anew.
  withdrawGate(it, place);
  return undefined;
}

async function answerTo(
  it: Interpreter,
  place: Place,
  { key, account, statement }: { key: string; account: string; statement: string },
): Promise<void> {
  try {
    await inGateQueue(it, place, { key }, () =>
      decisionAt(it, place, { kind: 'budget', show: [], channel: APPROVALS_CHANNEL, statement, account }),
    );
  } finally {
    wakeBudgetWaiters(it);
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
      return `${whose} allows ${ceilings.toolCallsPerStep ?? 0} tool calls per step, and ${step} needs its ${short.needed}th.`;
    case 'wallClock':
      return `${whose} is reached: its time of ${Math.round((ceilings.wallClockMs ?? 0) / 1000)} s is up before ${step}.`;
    case 'unknownCost':
      return `${whose} is in dollars, and the price of ${modelOf(short.model)}, which ${step} uses, is unknown: allow it with on_unknown_cost, or add its price.`;
    case 'unlimited':
      return `${whose} is in dollars, and the adapter "${short.adapter}" that ${step} uses cannot limit its replies: set on_unlimited: allow in the budget to let it run. It may then exceed the ceiling by the reply in flight.`;
    default:
      return unreachable(short);
  }
}

function modelOf(model: string): string {
  return model === '' ? 'the default model' : `the model ${model}`;
}

/** A suggested ceiling has to suffice. */
function wholeHundredths(microUsd: number): number {
  return Math.ceil(microUsd / HUNDREDTH_OF_A_CENT) * HUNDREDTH_OF_A_CENT;
}

const HUNDREDTH_OF_A_CENT = 100;

/** To the hundredth of a cent, as budgets are shown: one request may cost less than a cent. */
function dollars(microUsd: number): string {
  return (microUsd / 1_000_000).toFixed(4);
}
