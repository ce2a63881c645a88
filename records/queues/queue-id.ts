import { createHash } from 'node:crypto';
import type { QueueTarget } from '../../plan/queue/ticket';

const MOST = 200;

/**
 * The workflow id of the queue that moves a branch: `queue:/srv/lib#main`. A `#` in a path or a branch becomes `%23`, so that no two
 * branches share an id. A long one ends in a digest.
 */
export function queueId({ repository, branch }: Pick<QueueTarget, 'repository' | 'branch'>): string {
  const id = `${QUEUE_PREFIX}${escaped(repository)}#${escaped(branch)}`;
  if (id.length <= MOST) return id;
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 16);
  return `${id.slice(0, MOST - digest.length - 1)}~${digest}`;
}

function escaped(part: string): string {
  return part.replace(/[%#]/g, (character) => (character === '%' ? '%25' : '%23'));
}

const QUEUE_PREFIX = 'queue:';
