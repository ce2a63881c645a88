import type { ChildRecord } from '../containers/container-record';
import type { Interpreter } from '../interpreter';
import { childKeptOf } from '../state/kind-state';
import { accountsAbove, charge } from './accounts';
import { release } from './reservation';

/**
 * Gives back a step's reservations that no code in progress gives back. Others would wait forever for them, so this is called on each way
 * out of a step, and before the step's state is dropped.
 */
export function settleStepBudget(it: Interpreter, path: string): void {
  settleChildBudget(it, path);
  releaseCarriedOver(it, path);
}

/**
 * Ends a child pipeline's share: its usage is charged, the rest is given back. A child that has not begun has used nothing, and one that
 * has not reported its usage counts as having used all of it.
 */
function settleChildBudget(it: Interpreter, path: string): void {
  const { run } = it;
  const record = run.state.records[path];
  const kept = childKeptOf(record);
  if (!kept?.hold) return;
  const { hold, child } = kept;
  const { amounts, unknownCost } = child ? (child.spent ?? { amounts: hold.granted, unknownCost: true }) : NOTHING;
  const total = { tokens: amounts.tokens ?? 0, costMicroUsd: amounts.costMicroUsd ?? 0 };
  charge(accountsAbove(run, path), hold, total, unknownCost === true);
  release(it, { key: run.address(path), hold });
  delete kept.hold;
}

/** An agent whose step ends before this execution has taken up its call uses nothing of its reservation. */
function releaseCarriedOver(it: Interpreter, path: string): void {
  for (const [key, { path: held, hold, carriedOver }] of [...it.run.holdings]) if (carriedOver && held === path) release(it, { key, hold });
}

const NOTHING: NonNullable<ChildRecord['spent']> = { amounts: {} };
