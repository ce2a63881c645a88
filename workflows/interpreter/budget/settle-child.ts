import type { ChildRecord } from '../containers/container-record';
import type { Interpreter } from '../interpreter';
import { kindStateOf } from '../state/kind-state';
import { accountsAbove, charge } from './accounts';
import { release } from './reservation';

/**
 * Ends a child pipeline's share: what it has used is charged, the rest is given back. A child that has not begun has used nothing, and
 * one that has not reported what it used counts as having used all of it. A share that stayed reserved would be waited for forever, so
 * this is called on each way out of a child, and before what its step keeps is dropped.
 */
export function settleChildBudget(it: Interpreter, path: string): void {
  const { run } = it;
  const record = run.state.records[path];
  const kept = record && kindStateOf(record, 'pipeline');
  if (!kept?.hold) return;
  const { hold, child } = kept;
  const { amounts, unknownCost } = child ? (child.spent ?? { amounts: hold.granted, unknownCost: true }) : NOTHING;
  const total = { tokens: amounts.tokens ?? 0, costMicroUsd: amounts.costMicroUsd ?? 0 };
  charge(accountsAbove(run, path), hold, total, unknownCost === true);
  release(it, { key: run.address(path), hold });
  delete kept.hold;
}

const NOTHING: NonNullable<ChildRecord['spent']> = { amounts: {} };
