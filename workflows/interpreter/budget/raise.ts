import type { BudgetOrder, BudgetShort } from '../../../plan/budget';
import { unreachable } from '../../../plan/unreachable';
import { type Account, ceilingOf } from './accounts';

const MICRO = 1_000_000;
const MINUTE_MS = 60_000;

/**
 * What `extend_budget` may bring so that work which has come to a ceiling continues: twice that ceiling, and never less than what the
 * work is known to need. People are shown it as a line to paste, so it must be of the ceiling that was reached and no other.
 */
export function raiseOf(account: Account, short: BudgetShort): BudgetOrder {
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
