import type { Run } from '../run';
import type { GateRecord } from './gate-record';

/** Who may decide in an approver's place at a gate: their delegate there, else their standing delegates. Undefined if nobody may. */
export function delegatesAtGate(
  run: Run,
  { approvers, handed }: Pick<GateRecord, 'approvers' | 'handed'>,
): Record<string, string[]> | undefined {
  const found: [string, string[]][] = [];
  for (const approver of approvers ?? []) {
    const holder = handed && Object.hasOwn(handed, approver) ? handed[approver] : undefined;
    const standing = run.plan.delegates && Object.hasOwn(run.plan.delegates, approver) ? run.plan.delegates[approver] : undefined;
    const delegates = holder === undefined ? standing : [holder];
    if (delegates && delegates.length > 0) found.push([approver, delegates]);
  }
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}
