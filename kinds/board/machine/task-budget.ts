import type { BoardState, MemberState, TaskState, TaskUse, WorkUse } from '../../../plan/board/board-state';
import { AMOUNTS, type BudgetShort, type BudgetSpec } from '../../../plan/budgets/budget';
import { defined } from '../../../plan/defined';
import { duration } from '../../../plan/text/duration';
import type { Handling } from './handling';

/**
 * What tasks use, over all attempts at them, and what is left of their budgets. The use of a WORK counts for the task that it began with;
 * on a board with such budgets each claimed task has a WORK of its own.
 */

const NOTHING: TaskUse = { tokens: 0, costMicroUsd: 0, ms: 0 };

/** Enters what the member's WORK has used so far; what was entered before counts once. A task that has left the board is settled. */
export function charge({ state, atMs }: Handling, member: MemberState, used: WorkUse | undefined): void {
  const task = state.tasks.find(({ number }) => number === member.work?.task);
  if (!task) return;
  const before = member.charged ?? NOTHING;
  const now: TaskUse = { ...NOTHING, ...used, ms: atMs - member.sinceMs };
  member.charged = now;
  const sum = { ...NOTHING, ...task.used };
  for (const kind of KINDS) sum[kind] += Math.max(0, now[kind] - before[kind]);
  task.used = { ...sum, ...defined({ isCostUnknown: sum.isCostUnknown ?? used?.isCostUnknown }) };
}

const KINDS = [...AMOUNTS, 'ms'] as const;

/** The ceilings for its next WORK. Undefined: it has no budget. */
export function leftFor({ limits: { taskBudget } }: BoardState, task: TaskState): BudgetSpec | undefined {
  if (!taskBudget) return undefined;
  const { tokens, costMicroUsd, ms } = spentOn(task);
  const left = (ceiling: number | undefined, spent: number) => ceiling && Math.max(0, ceiling - spent);
  return {
    ...taskBudget,
    ...defined({
      tokens: left(taskBudget.tokens, tokens),
      costMicroUsd: left(taskBudget.costMicroUsd, costMicroUsd),
      wallClockMs: left(taskBudget.wallClockMs, ms),
    }),
  };
}

/** A person has decided that it is tried again, or the whole team begins again. */
export function renewBudget(task: TaskState): void {
  if (task.used) task.usedBefore = { ...task.used };
}

/** What the next reply of a WORK would have taken. The amounts of a `BudgetShort` are those of the whole WORK. */
export function lackOf({ charged = NOTHING }: MemberState, short: BudgetShort | undefined): BudgetShort | undefined {
  if (short?.kind !== 'tokens' && short?.kind !== 'costMicroUsd') return short;
  return { kind: short.kind, ...defined({ needed: short.needed && short.needed - charged[short.kind] }) };
}

/** Why it cannot be tried again by itself. `short`: what its last WORK lacked. */
export function whySpent({ limits: { taskBudget } }: BoardState, task: TaskState, short?: BudgetShort): string | undefined {
  if (!taskBudget) return undefined;
  const spent = spentOn(task);
  const { tokens, costMicroUsd, wallClockMs, toolCallsPerStep } = taskBudget;
  const parts = [
    ...(isOut(tokens, spent.tokens, short?.kind === 'tokens') ? [`${spent.tokens} of ${tokens} tokens`] : []),
    ...(isOut(costMicroUsd, spent.costMicroUsd, short?.kind === 'costMicroUsd')
      ? [`${dollars(spent.costMicroUsd)} of ${dollars(costMicroUsd ?? 0)}`]
      : []),
    ...(isOut(wallClockMs, spent.ms, short?.kind === 'wallClock')
      ? [`${duration(Math.min(spent.ms, wallClockMs ?? 0))} of ${duration(wallClockMs ?? 0)}`]
      : []),
    ...(short?.kind === 'toolCalls' ? [`${toolCallsPerStep ?? 0} calls of tools in one turn`] : []),
  ];
  if (parts.length === 0) return undefined;
  const unknown = spent.isCostUnknown && costMicroUsd !== undefined ? ', not counting what costs an unknown amount' : '';
  return `its budget is used up: ${parts.join(' and ')}${unknown}${needWords(short)}`;
}

function isOut(ceiling: number | undefined, spent: number, isShort: boolean): boolean {
  return ceiling !== undefined && (isShort || spent >= ceiling);
}

/** What the next reply would have taken: a budget that is not used up may be too small for it. */
function needWords(short: BudgetShort | undefined): string {
  if (short?.kind === 'tokens' && short.needed !== undefined) return `; the next reply may take ${short.needed} tokens`;
  if (short?.kind === 'costMicroUsd' && short.needed !== undefined) return `; the next reply may cost ${dollars(short.needed)}`;
  return '';
}

function spentOn({ used = NOTHING, usedBefore = NOTHING }: TaskState): TaskUse {
  const { tokens, costMicroUsd, ms } = usedBefore;
  return {
    ...used,
    ...{ tokens: used.tokens - tokens, costMicroUsd: used.costMicroUsd - costMicroUsd, ms: used.ms - ms },
  };
}

function dollars(microUsd: number): string {
  return `$${(microUsd / 1_000_000).toFixed(4)}`;
}
