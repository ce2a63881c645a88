import type { ActivityCall } from '../activity-call';

/** Names one request of a call, whichever attempt of it makes it. */
export function idempotencyKey({ key, id }: Pick<ActivityCall, 'key' | 'id'>, ask: number): string {
  return `${key.workflowId}/${key.run}/${id}/${ask}`;
}
