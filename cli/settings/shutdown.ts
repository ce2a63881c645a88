import { defined } from '../../plan/defined';
import { duration, type Reader, record } from './fields';

/** How workers end. */
export interface ShutdownSpec {
  /** The time that steps in flight get to end by themselves. */
  graceMs?: number;
}

const LONGEST_MS = 24 * 60 * 60 * 1000;

export const shutdown: Reader<ShutdownSpec> = (value, name, problems) => {
  const read = record({ grace: duration('a duration from 1s to 24h, such as 30s', 1000, LONGEST_MS) })(value, name, problems);
  return read && defined({ graceMs: read.grace });
};
