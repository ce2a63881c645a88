import type { Report } from '../../diagnostics/diagnostic';
import { type Entry, entryOf } from '../../read/node';

/** `cost_limit {max_usd, action}`: checked as Lobster does, and not enforced yet. */
export function readCostLimit(entry: Entry | undefined, report: Report): void {
  if (!entry) return;
  const { value: node } = entry;
  if (node.kind !== 'mapping') {
    report('lobster.bad-value', node.at, 'Workflow cost_limit must be an object', 'write {max_usd: 5, action: stop}');
    return;
  }
  const [most, action] = [entryOf(node, 'max_usd')?.value, entryOf(node, 'action')?.value];
  const amount = most?.kind === 'scalar' ? Number(most.value ?? 0) : Number.NaN;
  const word = action?.kind === 'scalar' ? action.value : undefined;
  if (!(Number.isFinite(amount) && amount >= 0)) {
    report('lobster.bad-value', most?.at ?? entry.keyAt, 'Workflow cost_limit.max_usd must be a non-negative number', 'write a number');
  } else if (action && word !== 'warn' && word !== 'stop') {
    report('lobster.bad-value', action.at, 'Workflow cost_limit.action must be "warn" or "stop"', 'write warn or stop');
  } else report('lobster.cost-limit', entry.keyAt, 'cost_limit is not enforced yet: the run continues at any cost', 'watch its usage');
}
