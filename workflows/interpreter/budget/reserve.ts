import { AMOUNTS, type AmountKind, type BudgetLimits, type BudgetShort } from '../../../plan/budgets/budget';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { pausedFor } from '../scheduling/exclusive-turn';
import { childStateOf } from '../state/kind-state';
import { type Account, accountAt, accountsAround, ceilingOf, covers, remainingOf, reservedTotal } from './accounts';
import { askForMore, mayAskForMore, noteReached } from './budget-gate';
import { sharersOf } from './budget-sharers';
import type { BudgetQuestion, HeldReservation } from './held-reservation';
import { accountWithRule, endsTurn, type ReservationOwner, releaseWhileWaiting, waitForBudget } from './reservation';

/**
 * Reserves, charges and gives back. Invariants: 1. an agent begins only with a reservation in every account around it, so parallel work
 * cannot together overspend; 2. a waiter for others' reservations holds nothing itself, so that nobody waits in a circle; 3. if nothing in
 * progress could give back, a person is asked.
 */
/** Waits until what the holder needs is reserved. Returns what it may use in total; nothing if it need not wait any more. */
export async function reserve(it: Interpreter, ctx: StepContext, holder: ReservationOwner): Promise<Reserved> {
  for (let n = 1; ; n++) {
    const room = await ctx.through(`room-${n}`, () => untilRoomOrTurn(it, holder));
    if (!('question' in room)) return room;
    await askForMore(it, ctx, `more-${n}`, holder, room.question);
  }
}

/** `spent`: a budget that spans turns has nothing left for it (`endsTurn`). */
export interface Reserved {
  limits?: BudgetLimits;
  spent?: BudgetShort;
}

/** A reservation, or the question that has to be asked first. Plain JSON, since it is remembered. */
type Room = Reserved | { question: BudgetQuestion };

async function untilRoomOrTurn(it: Interpreter, holder: ReservationOwner): Promise<Room> {
  const { run } = it;
  const { place } = holder;
  for (;;) {
    if (holder.over?.()) return {};
    await untilNotHeldUp(it, holder);
    const accounts = accountsAround(run, place);
    const late = lateAccount(run, accounts);
    const lack = late ? undefined : take(it, holder, accounts);
    if (!late && !lack) return { limits: limitsOf(run, accounts, holder) };
    releaseWhileWaiting(it, holder);
    if (lack && isParents(lack)) {
      it.parent.short({ [lack.kind]: neededInAll(it, holder, lack) });
      await waitForBudget(it, holder);
    } else if (lack && othersHold(it, lack.account)) await waitForBudget(it, holder);
    else {
      const question = late ? outOfTime(late) : lack && { account: lack.account.path, short: shortOf(it, holder, lack) };
      if (question && endsTurn(run, place, question)) {
        noteReached(it, place, accountAt(run, question.account), question.short);
        return { spent: question.short };
      }
      if (question && (await mayAskForMore(it, holder, question))) return { question };
    }
  }
}

/** While a place is held up it keeps nothing that may be needed meanwhile. */
async function untilNotHeldUp(it: Interpreter, holder: ReservationOwner): Promise<void> {
  const { run } = it;
  if (holder.keeps || !run.isHeldUp(holder.place)) return;
  releaseWhileWaiting(it, holder);
  await run.admission(holder.place);
}

function shortOf(it: Interpreter, holder: ReservationOwner, lack: Lack): BudgetShort {
  return { kind: lack.kind, needed: neededInAll(it, holder, lack) };
}

/** The first account whose time is up. */
export function lateAccount({ ctx }: Run, accounts: readonly Account[]): Account | undefined {
  return accounts.find((account) => dueOf(account) <= ctx.now());
}

export function outOfTime({ path }: Account): BudgetQuestion {
  return { account: path, short: { kind: 'wallClock' } };
}

interface Lack {
  account: Account;
  kind: AmountKind;
  /** In addition to what is charged. */
  need: number;
}

/** Takes a share of what is left, in all limited amounts; or nothing, and returns what is lacking. */
function take(it: Interpreter, { key, place, hold }: ReservationOwner, accounts: readonly Account[]): Lack | undefined {
  const grants: [AmountKind, number][] = [];
  for (const kind of AMOUNTS) {
    const limited = accounts.filter((account) => ceilingOf(account, kind) !== undefined);
    const [inner] = limited;
    if (!inner) continue;
    let left = Number.POSITIVE_INFINITY;
    let share = Number.POSITIVE_INFINITY;
    let tightest = inner;
    for (const account of limited) {
      const free = remainingOf(it.run, account, kind);
      if (free < left) [left, tightest] = [free, account];
      share = Math.min(share, Math.floor(free / sharersOf(it, account, place.path, key)));
    }
    const mine = reservedTotal(hold, kind);
    const need = Math.max(1, (hold.needed?.[kind] ?? 0) - hold.charged[kind]);
    if (mine + Math.max(0, left) < need) return { account: tightest, kind, need };
    grants.push([kind, Math.max(mine + Math.max(0, share), need)]);
  }
  for (const [kind, outstandingNow] of grants) hold.granted[kind] = hold.charged[kind] + outstandingNow;
  if (grants.length > 0) it.run.holdings.set(key, { path: place.path, hold });
  return undefined;
}

function limitsOf(run: Run, accounts: readonly Account[], { place, hold: { granted } }: ReservationOwner): BudgetLimits {
  const limits: BudgetLimits = { ...granted };
  for (const { ceilings } of accounts) {
    if (ceilings.toolCallsPerStep !== undefined) limits.toolCalls = Math.min(limits.toolCalls ?? Infinity, ceilings.toolCallsPerStep);
  }
  const before = run.state.records[place.path]?.brief?.toolCalls;
  if (limits.toolCalls !== undefined && before) limits.toolCallsBefore = before;
  const due = Math.min(...accounts.map(dueOf));
  if (Number.isFinite(due)) limits.untilMs = due;
  if (granted.costMicroUsd !== undefined)
    limits.onUnknownCost = accountWithRule(accounts, 'onUnknownCost')?.ceilings.onUnknownCost ?? 'hold';
  if (AMOUNTS.some((kind) => granted[kind] !== undefined))
    limits.onUnlimited = accountWithRule(accounts, 'onUnlimited')?.ceilings.onUnlimited ?? 'hold';
  return limits;
}

/** When the time of an account is up. */
function dueOf({ ceilings, sinceMs }: Account): number {
  return ceilings.wallClockMs === undefined ? Number.POSITIVE_INFINITY : sinceMs + ceilings.wallClockMs;
}

function othersHold(it: Interpreter, account: Account): boolean {
  const { run } = it;
  for (const held of run.holdings.values()) if (covers(account, held.path) && mayComeBack(run, held)) return true;
  return false;
}

/** Whether a reservation may be given back while somebody waits for it. */
function mayComeBack(run: Run, { path, waiting, heldUp }: HeldReservation): boolean {
  if (waiting || heldUp) return false;
  // A child pipeline that is paused for an exclusive turn begins nothing with what it has.
  return !(childStateOf(run.state.records[path]) && pausedFor(run.state, { path }));
}

/** Whether it is not the run's own ceiling, but its parent's allowance. */
function isParents({ account, kind }: Lack): boolean {
  const given = account.book.allowance?.[kind];
  return given !== undefined && given === ceilingOf(account, kind) && given !== account.ceilings[kind];
}

/** The sufficient ceiling: what is spent, what others hold and do not give back while they wait, and what is lacking. */
function neededInAll(it: Interpreter, { key }: ReservationOwner, { account, kind, need }: Lack): number {
  let needed = account.book.spent[kind] + need;
  for (const [other, { path, hold }] of it.run.holdings) if (other !== key && covers(account, path)) needed += reservedTotal(hold, kind);
  return needed;
}
