import { createHash } from 'node:crypto';
import type { QueueTarget } from '../../plan/queue/ticket';

const MOST = 200;

/** The workflow id of the queue that moves a branch: `queue:/srv/lib#main`. A long one ends in a digest. */
export function queueId({ repository, branch }: Pick<QueueTarget, 'repository' | 'branch'>): string {
  const id = `${QUEUE_PREFIX}${repository}#${branch}`;
  if (id.length <= MOST) return id;
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 16);
  return `${id.slice(0, MOST - digest.length - 1)}~${digest}`;
}

export const QUEUE_PREFIX = 'queue:';
