import { type Allowance, AMOUNTS, type Amounts, BUDGET_WORDS } from '../../../plan/budget';
import type { AgentKeeps, Hold } from '../agents/agent-keeps';
import { tell } from '../containers/children';
import type { ChildRecord } from '../containers/container-record';
import { agentsAtWork } from '../context/memory';
import type { Interpreter } from '../interpreter';
import type { Place } from '../place';
import { keep, keptOf } from '../state/kept';
import type { StepRecord } from '../state/record';
import { accountsAround, charge } from './accounts';
import { accountSaying, giveBack, type Holder } from './holder';
import { reserve } from './reserve';

/**
 * What a child pipeline may use of its parent's budgets: a share is reserved before it starts, more is reserved when it asks, and what
 * it did not use is given back when it has ended. A child that was lost has used up all that it was given, for all anybody knows.
 */

/** The first share; undefined where nothing that is counted has a ceiling. */
export async function reserveForChild(it: Interpreter, place: Place, record: StepRecord): Promise<Allowance | undefined> {
  await reserve(it, holderOf(it, place, record));
  const { granted } = holdFor(record);
  return Object.keys(granted).length > 0 ? allowanceOf(it, place, granted) : undefined;
}

/** The child has reported that it lacks something: it waits until it gets an answer. */
export async function reserveMore(it: Interpreter, place: Place, record: StepRecord, child: ChildRecord): Promise<void> {
  const holder = holderOf(it, place, record);
  holder.hold.needed = { ...holder.hold.needed, ...child.short };
  const limits = await reserve(it, { ...holder, over: () => child.ended !== undefined });
  delete child.short;
  if (limits) await tell(it, place.path, child, { kind: 'granted', amounts: allowanceOf(it, place, holder.hold.granted) });
}

function allowanceOf({ run }: Interpreter, place: Place, granted: Amounts): Allowance {
  const allowance: Allowance = { ...granted };
  if (granted.costMicroUsd === undefined) return allowance;
  const accounts = accountsAround(run, place);
  for (const key of BUDGET_WORDS) {
    const word = accountSaying(accounts, key)?.ceilings[key];
    if (word) allowance[key] = word;
  }
  return allowance;
}

/** The child has ended. */
export function settleChild(it: Interpreter, place: Place, record: StepRecord, child: ChildRecord): void {
  const kept = keptOf(record, 'pipeline');
  if (!kept?.hold) return;
  const { granted } = kept.hold;
  const { amounts, unknownCost } = child.spent ?? { amounts: granted, unknownCost: true };
  const total = { tokens: amounts.tokens ?? 0, costMicroUsd: amounts.costMicroUsd ?? 0 };
  charge(accountsAround(it.run, place), kept.hold, total, unknownCost === true);
  giveBack(it, holderOf(it, place, record));
  delete kept.hold;
}

/** After continue-as-new: children continue with what they hold; whatever else had reserved, and not begun, reserves again. */
export function resumeHoldings(it: Interpreter): void {
  for (const [path, record] of it.run.index.live(it.run.state.records)) {
    const { child, hold } = keptOf(record, 'pipeline') ?? {};
    if (hold && child && !child.ended) it.run.holdings.set(it.run.address(path), { path, hold });
    else if (hold) forgetGrants({ hold });
    for (const { keeps } of agentsAtWork(record)) forgetGrants(keeps);
  }
}

function forgetGrants({ hold, spawned = [] }: AgentKeeps): void {
  for (const kind of AMOUNTS) if (hold?.granted[kind] !== undefined) hold.granted[kind] = hold.charged[kind];
  for (const child of spawned) forgetGrants(child);
}

function holderOf({ run }: Interpreter, place: Place, record: StepRecord): Holder {
  return { key: run.address(place.path), place, hold: holdFor(record), keeps: true };
}

function holdFor(record: StepRecord): Hold {
  const kept = keep(record, 'pipeline');
  kept.hold ??= { granted: {}, charged: { tokens: 0, costMicroUsd: 0 } };
  return kept.hold;
}
