import { ThermidorFailure } from '../../plan/run/failure';
import { lostTries, recordTry } from '../../records/queues/queue-ledger';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';

/** How often commands of a test may take their worker with them. */
const MOST_LOST = 3;

/**
 * Runs the commands of a test, unless those of this attempt have killed too many workers: each lost worker had other work, too. A worker
 * that ends in order records that. Fails with `queue.test-lost`.
 */
export async function inTry<T>(
  { ledger }: Pick<Toolbox, 'ledger'>,
  { key: { workflowId: queue } }: Pick<ActivityCall, 'key'>,
  of: { attempt: number; commit: string },
  work: () => Promise<T>,
): Promise<T> {
  const lost = await lostTries(ledger, queue, of);
  if (lost >= MOST_LOST)
    throw new ThermidorFailure('queue.test-lost', `the test of ${of.commit.slice(0, 12)} has taken its worker down ${lost} times`);
  await recordTry(ledger, queue, of, 'begun');
  try {
    return await work();
  } finally {
    await recordTry(ledger, queue, of, 'over');
  }
}
