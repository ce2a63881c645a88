import { AMOUNTS, type BudgetShort, type BudgetWord, WORD_IS_ABOUT } from '../../../plan/budgets/budget';
import type { Usage } from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import type { Reservation } from './account-record';
import { type Account, accountsAround, amountsOf, ceilingOf, charge, isLimitedByParent } from './accounts';
import type { BudgetQuestion, BudgetWaiter } from './held-reservation';
import { budgetWakeKey } from './wake-key';

/** A user of a reservation: a try of an agent, a child that it spawned, a child pipeline. */
export interface ReservationOwner {
  /** Unique in the run's current work: the address of the activity. */
  key: string;
  place: Place;
  hold: Reservation;
  /** Whether nobody needs it any more. */
  over?: () => boolean;
  /** It continues with what it has while it waits for more: a child pipeline. */
  keeps?: true;
}

/** The amount at which an agent stopped: the next reservation must bring it. Returns the account to ask about, if only asking helps. */
export function noteShort(it: Interpreter, { place, hold }: ReservationOwner, short: BudgetShort): Account | undefined {
  const accounts = accountsAround(it.run, place);
  switch (short.kind) {
    case 'tokens':
    case 'costMicroUsd': {
      const more = Math.max(short.needed ?? 0, (hold.granted[short.kind] ?? 0) + 1);
      hold.needed = { ...hold.needed, [short.kind]: more };
      return undefined;
    }
    case 'toolCalls':
      return accounts.find(({ ceilings }) => (ceilings.toolCallsPerStep ?? Number.POSITIVE_INFINITY) < short.needed);
    case 'unknownCost':
      return decidingAccount(accounts, 'onUnknownCost');
    case 'unlimited':
      return decidingAccount(accounts, 'onUnlimited');
    case 'wallClock':
      return undefined;
  }
}

/**
 * Whether nobody is asked for more: what is left of a budget that spans turns is used up, and the turn of a member of a board ends. Its
 * board decides what follows.
 */
export function endsTurn(run: Run, { path }: Place, { account, short }: BudgetQuestion): boolean {
  const { member, ceilings } = run.state.records[path]?.brief ?? {};
  return account === path && member !== undefined && ceilings !== undefined && !PERMITTED.has(short.kind);
}

/** These need a permission, and no more of anything. */
const PERMITTED: ReadonlySet<BudgetShort['kind']> = new Set(['unknownCost', 'unlimited']);

/** The budget that decides: the innermost that says anything; if a parent run says `hold`, that wins. */
export function accountWithRule(accounts: readonly Account[], key: BudgetWord): Account | undefined {
  return accounts.find((account) => isLimitedByParent(account, key)) ?? accounts.find(({ ceilings }) => ceilings[key] !== undefined);
}

/** The account whose budget decides, or must decide, whether `key` is allowed. Undefined if no ceiling concerns `key`. */
export function decidingAccount(accounts: readonly Account[], key: BudgetWord): Account | undefined {
  const limited = accounts.find((account) => WORD_IS_ABOUT[key].some((kind) => ceilingOf(account, kind) !== undefined));
  return limited && (accountWithRule(accounts, key) ?? limited);
}

/** Enters what a try has used so far. */
export function chargeFor(it: Interpreter, { place, hold }: ReservationOwner, usage: Usage | undefined): void {
  if (usage) charge(accountsAround(it.run, place), hold, amountsOf(usage), usage.costMicroUsd === null);
}

/** The call of an agent is in progress in this execution, and gives back its reservation itself. */
export function takeUpReservation({ run }: Interpreter, key: string): void {
  const held = run.holdings.get(key);
  if (held) delete held.carriedOver;
}

/** Gives back what was granted and not used, and wakes those who wait for it. */
export function release(it: Interpreter, { key, hold }: Pick<ReservationOwner, 'key' | 'hold'>): void {
  const had = it.run.holdings.delete(key);
  for (const kind of AMOUNTS) if (hold.granted[kind] !== undefined) hold.granted[kind] = hold.charged[kind];
  if (had) wakeWaitersWhere(it.run, ({ forAnswer }) => !forAnswer);
}

/** Lets all that wait for budget look again. */
export function wakeBudgetWaiters({ run }: Interpreter): void {
  wakeWaitersWhere(run, () => true);
}

function wakeWaitersWhere(run: Run, picks: (lacking: BudgetWaiter) => boolean): void {
  for (const [key, lacking] of [...run.lacking]) if (picks(lacking)) run.wake(budgetWakeKey(key));
}

/** An exclusive turn delays a place, or no longer does: nobody waits for what that place keeps. */
export function noteHeldUp(it: Interpreter, { path, child }: Place, holds: boolean): void {
  const { run } = it;
  for (const [key, held] of run.holdings) {
    if (held.path !== path || (child && key !== child.id)) continue;
    if (holds) held.heldUp = true;
    else delete held.heldUp;
  }
  if (holds) wakeBudgetWaiters(it);
}

/**
 * Waits for what others give back, or (`forAnswer`) only for an answer; without a slot, because others may need it. Two waiters that looked
 * again whenever the other had would never rest.
 */
export async function waitForBudget(it: Interpreter, { key, place }: ReservationOwner, forAnswer?: true): Promise<void> {
  const { run } = it;
  run.lacking.set(key, { path: place.path, ...defined({ forAnswer }) });
  it.rest(place);
  it.changed();
  try {
    await run.sleepUntilWoken(budgetWakeKey(key), place.path);
  } finally {
    run.lacking.delete(key);
  }
  it.resume(place);
}

/**
 * Called before waiting: nobody waits in a circle, because a waiter holds nothing, or is known not to give it back. The others are informed
 * once: two that woke each other whenever they looked again would never rest.
 */
export function releaseWhileWaiting(it: Interpreter, holder: ReservationOwner): void {
  if (!holder.keeps) {
    release(it, holder);
    return;
  }
  const holding = it.run.holdings.get(holder.key);
  if (!holding || holding.waiting) return;
  holding.waiting = true;
  wakeBudgetWaiters(it);
}
