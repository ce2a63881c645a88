import { defined, unlessEmpty } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { type Board, keptOf, stateOf } from './board';
import type { BOARD_FIELDS, MEMBER_FIELDS, Row, TASK_FIELDS } from './rules/output';
import type { MemberState, TaskState, TaskUse } from './state';

/** The output of the step: every task with its owner, its times, its result and its attempts, and the members. */
export function resultOf(board: Board): Record<string, Json> {
  const { team, over, tasks, members } = stateOf(board);
  const { refused = [] } = keptOf(board);
  return defined<Row<typeof BOARD_FIELDS>>({
    ...{ team, end: over ?? 'unfinished' },
    tasks: tasks.map(taskRow),
    members: members.map(memberRow),
    messages: refused.map((one) => ({ ...one })),
  });
}

function taskRow(task: TaskState): Record<string, Json> {
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
    ...(used ? useRow(used) : {}),
    result: task.result?.text,
    returned: returned && { by: returned.by, reason: returned.reason },
  });
}

/** Nothing if nothing was paid for. */
function useRow({ tokens, costMicroUsd, isCostUnknown }: TaskUse): Pick<Row<typeof TASK_FIELDS>, 'tokens' | 'cost'> {
  if (tokens === 0 && costMicroUsd === 0 && !isCostUnknown) return {};
  return { tokens, cost: isCostUnknown ? null : costMicroUsd / 1_000_000 };
}

function memberRow({ name, agent, role, status, works, reason }: MemberState): Record<string, Json> {
  return defined<Row<typeof MEMBER_FIELDS>>({ name, agent, role, status, works, reason });
}

const NAMED = 10;

/** The team has ended, and tasks are left. */
export function unfinished({ it, place }: Board, end: Record<string, Json>, left: readonly TaskState[]): ThermidorFailure {
  const names = left.slice(0, NAMED).map(({ number, subject, status }) => `#${number} ${subject} (${status})`);
  const more = left.length > names.length ? ` and ${left.length - names.length} more` : '';
  const message = `the board of ${it.run.name(place.path)} has ended with tasks left: ${names.join(', ')}${more}; run it again from this step to go on with these`;
  return new ThermidorFailure('board.unfinished', message, end);
}

function iso(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
