import type { AmountView, BudgetView } from '../../plan/budgets/budget';
import { duration } from '../../plan/text/duration';
import { count } from '../../plan/text/short-count';
import type { Colors } from '../terminal';

const MICRO = 1_000_000;
/** Below this share, what is left of a ceiling is shown as scarce. */
const LITTLE = 0.1;

/** A budget as a line for each ceiling: what is spent, what is held for work in progress, what is left. `each`: of `describeBudget`. */
export function budgetLines(at: string, budget: BudgetView, colors: Colors, each = 'step'): string {
  const { tokens, costMicroUsd, wallClockMs, toolCallsPerStep, retriesPerStep, unknownCost } = budget;
  const lines: string[] = [];
  if (tokens !== undefined) lines.push(amount('tokens', tokens, count, colors));
  if (costMicroUsd !== undefined) lines.push(amount('cost', costMicroUsd, dollars, colors));
  if (wallClockMs !== undefined) {
    lines.push(line('time', wallClockMs.ceiling, duration, [`spent ${duration(wallClockMs.spent)}`], wallClockMs.left, colors));
  }
  if (toolCallsPerStep !== undefined) lines.push(`at most ${toolCallsPerStep} tool calls a ${each}`);
  if (retriesPerStep !== undefined) lines.push(`at most ${retriesPerStep} retries a ${each}`);
  if (unknownCost) lines.push(colors.yellow('part of the cost is unknown'));
  return lines.map((text) => `${colors.dim(`budget of ${at}:`)} ${text}\n`).join('');
}

function amount(what: string, view: AmountView, format: (value: number) => string, colors: Colors): string {
  const facts = [`spent ${format(view.spent)}`, ...(view.reserved > 0 ? [`reserved ${format(view.reserved)}`] : [])];
  return line(what, view.ceiling, format, facts, view.left, colors);
}

function line(what: string, ceiling: number, format: (value: number) => string, facts: string[], left: number, colors: Colors): string {
  const rest = `left ${format(left)}`;
  return `${what} ${[...facts, left < ceiling * LITTLE ? colors.yellow(rest) : rest].join(', ')} of ${format(ceiling)}`;
}

function dollars(microUsd: number): string {
  return `$${(microUsd / MICRO).toFixed(4)}`;
}
