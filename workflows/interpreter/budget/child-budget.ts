import { type Allowance, AMOUNTS, type Amounts, BUDGET_WORDS, WORD_IS_ABOUT } from '../../../plan/budgets/budget';
import { sendToChild } from '../containers/child-runs';
import type { ChildRecord } from '../containers/container-record';
import { type AgentCallState, addressOfSpawned } from '../context/attempt-log';
import { agentsAtWork } from '../context/open-entries';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import { childKeptOf, openKindState } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';
import type { Reservation } from './account-record';
import { accountsAround, reservedTotal } from './accounts';
import type { HeldReservation } from './held-reservation';
import { accountWithRule, type ReservationOwner } from './reservation';
import { reserve } from './reserve';

/**
 * A child pipeline's use of its parent's budgets: a share is reserved before it starts, and more is reserved when it asks. `settle-step.ts`
 * ends it.
 */

/** The first share; undefined if no counted amount has a ceiling. */
export async function reserveForChild(it: Interpreter, place: Place, record: StepRecord, ctx: StepContext): Promise<Allowance | undefined> {
  await reserve(it, ctx, holderOf(it, place, record));
  const { granted } = holdFor(record);
  return Object.keys(granted).length > 0 ? allowanceOf(it, place, granted) : undefined;
}

/** The child has reported that it lacks something: it waits until it gets an answer. */
export async function reserveMoreForChild(
  it: Interpreter,
  place: Place,
  record: StepRecord,
  ctx: StepContext,
  child: ChildRecord,
): Promise<void> {
  const holder = holderOf(it, place, record);
  holder.hold.needed = { ...holder.hold.needed, ...child.short };
  const { limits } = await reserve(it, ctx, { ...holder, over: () => child.ended !== undefined });
  delete child.short;
  if (limits) await sendToChild(it, place.path, child, { kind: 'granted', amounts: allowanceOf(it, place, holder.hold.granted) });
}

function allowanceOf({ run }: Interpreter, place: Place, granted: Amounts): Allowance {
  const allowance: Allowance = { ...granted };
  const accounts = accountsAround(run, place);
  for (const key of BUDGET_WORDS) {
    if (WORD_IS_ABOUT[key].every((kind) => granted[kind] === undefined)) continue;
    const word = accountWithRule(accounts, key)?.ceilings[key];
    if (word) allowance[key] = word;
  }
  return allowance;
}

/** After continue-as-new: unused reservations of continuing children, and of agents that have not begun, are still held. */
export function resumeReservations({ run }: Interpreter): void {
  for (const [path, record] of run.index.live(run.state.records)) {
    const { child, hold } = childKeptOf(record) ?? {};
    if (hold && !child?.ended) holdAgain(run, run.address(path), path, hold);
    for (const { keeps, ledger } of agentsAtWork(record)) resumeCall(run, ledger, path, keeps);
  }
}

function resumeCall(run: Run, key: string, path: string, { hold, spawned = [] }: AgentCallState): void {
  if (hold) holdAgain(run, key, path, hold, { carriedOver: true });
  for (const child of spawned) if (!child.result) resumeCall(run, addressOfSpawned(child), path, child);
}

function holdAgain(run: Run, key: string, path: string, hold: Reservation, whose: Pick<HeldReservation, 'carriedOver'> = {}): void {
  if (AMOUNTS.some((kind) => reservedTotal(hold, kind) > 0)) run.holdings.set(key, { path, hold, ...whose });
}

function holderOf({ run }: Interpreter, place: Place, record: StepRecord): ReservationOwner {
  return { key: run.address(place.path), place, hold: holdFor(record), keeps: true };
}

function holdFor(record: StepRecord): Reservation {
  const kept = openKindState(record, 'pipeline');
  kept.hold ??= { granted: {}, charged: { tokens: 0, costMicroUsd: 0 } };
  return kept.hold;
}
