import { defined, unlessEmpty } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { type Board, stateOf } from './board';
import type { TaskState } from './state';

/** The output of the step: every task with its owner, its times, its result and its attempts, and the members. */
export function resultOf(board: Board): Record<string, Json> {
  const { team, over, tasks, members } = stateOf(board);
  return {
    team,
    status: over ?? 'unfinished',
    tasks: tasks.map((task) => ({
      ...{ id: task.number, subject: task.subject, status: task.status, attempts: task.attempt, created_by: task.by },
      ...defined({
        name: task.name,
        owner: task.owner,
        required_role: task.requiredRole,
        blocked_by: unlessEmpty([...task.blockedBy]),
        claim_source: task.claimSource,
        claimed_at: iso(task.claimedAtMs),
        ended_at: iso(task.endedAtMs),
        result: task.result?.text,
        returned: task.returned && { by: task.returned.by, reason: task.returned.reason },
      }),
    })),
    members: members.map(({ name, agent, role, status, works, reason }) => ({ name, agent, status, works, ...defined({ role, reason }) })),
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

function iso(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
