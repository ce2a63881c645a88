import { defined } from '../../plan/defined';
import type { RetryPolicy } from '../../plan/steps/step';
import type { RETRY_ROWS } from '../language/mappings/step';
import type { SourceOf } from '../shape/source-of';

/** The longest delay between two tries if `max_delay` is not written. */
const MAX_DELAY_MS = 30_000;

export function retryOf({ max = 1, backoff, delayMs, maxDelayMs, jitter }: SourceOf<typeof RETRY_ROWS>): RetryPolicy {
  // A delay that the author wrote is not cut short by the default ceiling.
  const longest = maxDelayMs ?? (delayMs !== undefined && delayMs > MAX_DELAY_MS ? delayMs : undefined);
  return {
    max,
    ...defined({ backoff: backoff === 'exponential' ? backoff : undefined, delayMs, maxDelayMs: longest, jitter: jitter || undefined }),
  };
}
