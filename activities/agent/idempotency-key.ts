import type { ActivityCall } from '../activity-call';

/** The name of one request of a call, whichever attempt makes it. */
export function idempotencyKey({ key, id }: Pick<ActivityCall, 'key' | 'id'>, ask: number): string {
  return `${key.workflowId}/${key.run}/${id}/${ask}`;
}
