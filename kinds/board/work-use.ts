import type { MemberState, WorkUse } from '../../plan/board/board-state';
import type { WorkOrder } from '../../plan/board/work-order';
import type { BudgetSpec } from '../../plan/budgets/budget';
import { defined } from '../../plan/defined';
import { amountsOf } from '../../workflows/interpreter/budget/accounts';
import { partPath } from '../../workflows/interpreter/patterns/parts';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { type Board, keptOf, stateOf, tell } from './board';
import { findMember } from './machine/members';
import { leftFor } from './machine/task-budget';

/** What the WORKs of members use, and what they may use of the budgets of their tasks. */

/** What is left of the budget of the task that the WORK begins with, with the words that a person has given for an earlier WORK. */
export function ceilingsFor(board: Board, { task }: WorkOrder): BudgetSpec | undefined {
  const state = stateOf(board);
  const found = state.tasks.find(({ number }) => number === task);
  const left = found && leftFor(state, found);
  return left && { ...left, ...keptOf(board).permitted };
}

/** Enters what the member's WORK has used so far. Must be called before what may take its task from it. */
export function noteUse(board: Board, name: string): void {
  const member = findMember(stateOf(board), name);
  const used = member && useOf(board, member);
  if (used) tell(board, { kind: 'used', member: name, used });
}

/** Undefined: the WORK has not begun. */
function useOf(board: Board, member: MemberState): WorkUse | undefined {
  const record = recordOf(board, member);
  if (!record) return undefined;
  const { account, usage } = record;
  // An account has what its tries and their children have used so far.
  const amounts = account?.spent ?? (usage ? amountsOf(usage) : { tokens: 0, costMicroUsd: 0 });
  const isCostUnknown = account ? account.unknownCost : usage?.costMicroUsd === null || undefined;
  return { ...amounts, ...defined({ isCostUnknown }) };
}

/** A person who has allowed agents of unknown cost, or without limits, in one WORK is not asked again in each. */
export function keepPermissions(board: Board, name: string): void {
  const kept = keptOf(board);
  const member = findMember(stateOf(board), name);
  const { onUnknownCost, onUnlimited } = (member && recordOf(board, member)?.account?.ceilings) ?? {};
  if (onUnknownCost ?? onUnlimited) kept.permitted = { ...kept.permitted, ...defined({ onUnknownCost, onUnlimited }) };
}

/** That of the part in which its WORK is. */
function recordOf({ it, place }: Board, { agent, work }: MemberState): StepRecord | undefined {
  return work && it.run.state.records[partPath(place, agent, work.number)];
}
