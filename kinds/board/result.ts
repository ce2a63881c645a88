import { defined, unlessEmpty } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { type Board, keptOf, stateOf } from './board';
import type { TaskState } from './state';

/** The output of the step: every task with its owner, its times, its result and its attempts, the members, and messages to nobody. */
export function resultOf(board: Board): Record<string, Json> {
  const { team, over, tasks, members } = stateOf(board);
  const { costs = {}, refused = [] } = keptOf(board);
  return {
    team,
    end: over ?? 'unfinished',
    tasks: tasks.map((task) => ({
      ...{ number: task.number, subject: task.subject, status: task.status, attempts: task.attempt },
      ...{ created_by: task.by, created_at: iso(task.createdAtMs), cost: costs[task.number] ?? null },
      ...defined({
        name: task.name,
        owner: task.owner,
        required_role: task.requiredRole,
        blocked_by: unlessEmpty([...task.blockedBy]),
        priority: task.priority,
        claim_source: task.claimSource,
        claimed_at: task.claimedAtMs === undefined ? undefined : iso(task.claimedAtMs),
        ended_at: task.endedAtMs === undefined ? undefined : iso(task.endedAtMs),
        result: task.result?.text,
        returned: task.returned && { by: task.returned.by, reason: task.returned.reason },
      }),
    })),
    members: members.map(({ name, agent, role, status, works, reason }) => ({ name, agent, status, works, ...defined({ role, reason }) })),
    messages: refused.map((one) => ({ ...one })),
  };
}

const NAMED = 10;

/** The team has ended, and tasks are left. */
export function unfinished({ it, place }: Board, end: Record<string, Json>, left: readonly TaskState[]): ThermidorFailure {
  const names = left.slice(0, NAMED).map(({ number, subject, status }) => `#${number} ${subject} (${status})`);
  const more = left.length > names.length ? ` and ${left.length - names.length} more` : '';
  const message = `the team of ${it.run.name(place.path)} has ended, and tasks are left: ${names.join(', ')}${more}; run it again from this step to go on`;
  return new ThermidorFailure('board.unfinished', message, end);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
