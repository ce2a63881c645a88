import { type Allowance, AMOUNTS, type Amounts, BUDGET_WORDS } from '../../../plan/budgets/budget';
import type { Interpreter } from '../interpreter';
import { wakeBudgetWaiters } from './reservation';

/** Takes a parent's allowance: new ceilings in addition to the run's own, which only grow, and the words of the parent's budgets. */
export function takeAllowance(it: Interpreter, amounts: Allowance): void {
  const { run } = it;
  run.state.account ??= { spent: { tokens: 0, costMicroUsd: 0 } };
  const book = run.state.account;
  const before = book.allowance ?? {};
  const allowance: Allowance = { ...before };
  for (const key of BUDGET_WORDS) if (amounts[key]) allowance[key] = amounts[key];
  for (const kind of AMOUNTS) {
    const more = amounts[kind];
    if (more !== undefined) allowance[kind] = Math.max(more, before[kind] ?? 0);
  }
  book.allowance = allowance;
  run.journal.add({ kind: 'budget', event: 'granted', reason: `by the parent: ${describe(allowance)}` });
  wakeBudgetWaiters(it);
  it.changed();
}

function describe(amounts: Amounts): string {
  return AMOUNTS.flatMap((kind) => (amounts[kind] === undefined ? [] : [`${kind} ${amounts[kind]}`])).join(', ');
}
