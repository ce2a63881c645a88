import type { TaskState, TaskUse } from '../../plan/board/board-state';
import { WHOLE_RESULT } from '../../plan/board/task';
import { defined, ifDefined, unlessEmpty } from '../../plan/defined';
import type { Json } from '../../plan/text/json';
import { refSaid } from './machine/refusals';
import type { Row, TASK_FIELDS } from './rules/output';

/** A task as the output of the step has it. */
export function taskRow(task: TaskState): Record<string, Json> {
  const { number, name, subject, status, owner, attempt, by, returned, worktree, commit, used } = task;
  return defined<Row<typeof TASK_FIELDS>>({
    ...{ number, name, subject, status, owner, worktree, commit },
    required_role: task.requiredRole,
    priority: task.priority,
    blocked_by: unlessEmpty([...task.blockedBy]),
    created_by: by,
    created_at: iso(task.createdAtMs),
    claim_source: task.claimSource,
    claimed_at: iso(task.claimedAtMs),
    ended_at: iso(task.endedAtMs),
    attempts: attempt,
    ...(used ? usedRow(used) : {}),
    result: task.result?.text,
    [WHOLE_RESULT]: ifDefined(task.result?.whole, refSaid),
    returned: returned && { by: returned.by, reason: returned.reason },
  });
}

/** Nothing if nothing was paid for. */
export function usedRow({ tokens, costMicroUsd, isCostUnknown }: TaskUse): { tokens?: number; cost?: number | null } {
  if (tokens === 0 && costMicroUsd === 0 && !isCostUnknown) return {};
  return { tokens, cost: isCostUnknown ? null : costMicroUsd / 1_000_000 };
}

function iso(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
