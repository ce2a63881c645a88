import { type Allowance, AMOUNTS, type Amounts, BUDGET_WORDS } from '../../../plan/budgets/budget';
import type { AgentCallState, Reservation } from '../agents/agent-call-state';
import { sendToChild } from '../containers/child-runs';
import type { ChildRecord } from '../containers/container-record';
import { agentsAtWork } from '../context/attempt-log';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { kindStateOf, openKindState } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';
import { accountsAround } from './accounts';
import { accountWithRule, type ReservationOwner } from './reservation';
import { reserve } from './reserve';

/**
 * What a child pipeline may use of its parent's budgets: a share is reserved before it starts, and more is reserved when it asks. What
 * becomes of it in the end is `settle-child.ts`.
 */

/** The first share; undefined where nothing that is counted has a ceiling. */
export async function reserveForChild(it: Interpreter, place: Place, record: StepRecord): Promise<Allowance | undefined> {
  await reserve(it, holderOf(it, place, record));
  const { granted } = holdFor(record);
  return Object.keys(granted).length > 0 ? allowanceOf(it, place, granted) : undefined;
}

/** The child has reported that it lacks something: it waits until it gets an answer. */
export async function reserveMoreForChild(it: Interpreter, place: Place, record: StepRecord, child: ChildRecord): Promise<void> {
  const holder = holderOf(it, place, record);
  holder.hold.needed = { ...holder.hold.needed, ...child.short };
  const limits = await reserve(it, { ...holder, over: () => child.ended !== undefined });
  delete child.short;
  if (limits) await sendToChild(it, place.path, child, { kind: 'granted', amounts: allowanceOf(it, place, holder.hold.granted) });
}

function allowanceOf({ run }: Interpreter, place: Place, granted: Amounts): Allowance {
  const allowance: Allowance = { ...granted };
  if (granted.costMicroUsd === undefined) return allowance;
  const accounts = accountsAround(run, place);
  for (const key of BUDGET_WORDS) {
    const word = accountWithRule(accounts, key)?.ceilings[key];
    if (word) allowance[key] = word;
  }
  return allowance;
}

/** After continue-as-new: children continue with what they hold; whatever else had reserved, and not begun, reserves again. */
export function resumeReservations(it: Interpreter): void {
  for (const [path, record] of it.run.index.live(it.run.state.records)) {
    const { child, hold } = kindStateOf(record, 'pipeline') ?? {};
    if (hold && child && !child.ended) it.run.holdings.set(it.run.address(path), { path, hold });
    else if (hold) forgetGrants({ hold });
    for (const { keeps } of agentsAtWork(record)) forgetGrants(keeps);
  }
}

function forgetGrants({ hold, spawned = [] }: AgentCallState): void {
  for (const kind of AMOUNTS) if (hold?.granted[kind] !== undefined) hold.granted[kind] = hold.charged[kind];
  for (const child of spawned) forgetGrants(child);
}

function holderOf({ run }: Interpreter, place: Place, record: StepRecord): ReservationOwner {
  return { key: run.address(place.path), place, hold: holdFor(record), keeps: true };
}

function holdFor(record: StepRecord): Reservation {
  const kept = openKindState(record, 'pipeline');
  kept.hold ??= { granted: {}, charged: { tokens: 0, costMicroUsd: 0 } };
  return kept.hold;
}
