import type { AttemptRecord } from '../context/attempt-log';
import { openEntries } from '../context/open-entries';

/** The key under which a step waits for one that it has called. */
export function callKey(step: string): string {
  return `${CALL}${step}`;
}
const CALL = 'call:';

/** The called step for which a step waits. */
export function calledBy(record: { attempt?: AttemptRecord }): string | undefined {
  for (const entry of openEntries(record)) if (entry.kind === 'awaited' && entry.key.startsWith(CALL)) return entry.key.slice(CALL.length);
  return undefined;
}
