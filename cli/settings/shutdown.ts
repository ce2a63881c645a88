import { defined } from '../../plan/defined';
import { durationMs } from '../../plan/text/duration';
import { type Reader, refuse, settingFields } from './fields';

/** How workers end. */
export interface ShutdownSpec {
  /** The time that steps in flight get to end by themselves. */
  graceMs?: number;
}

const LONGEST_MS = 24 * 60 * 60 * 1000;

export const shutdown: Reader<ShutdownSpec> = (value, name, problems) => {
  const fields = settingFields(value, name, ['grace'], problems);
  return fields && defined({ graceMs: fields.take('grace', grace) });
};

const grace: Reader<number> = (value, name, problems) => {
  const ms = typeof value === 'string' ? durationMs(value) : undefined;
  if (ms !== undefined && ms >= 1000 && ms <= LONGEST_MS) return ms;
  refuse(problems, name, `"${name}" must be a duration from 1s to 24h, such as 30s`);
  return undefined;
};
