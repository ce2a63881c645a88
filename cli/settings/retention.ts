import { defined } from '../../plan/defined';
import { LEAST_AGE_MS, type RetentionLimits } from '../../records/pruning/prune-store';
import { duration, type Reader, record } from './fields';

const LIMIT = duration('a duration of at least 1d, such as 30d', LEAST_AGE_MS);

const RETENTION = record({ runs: LIMIT, artifacts: LIMIT, logs: LIMIT });

/** `retention: {runs: 30d, artifacts: 30d, logs: 14d}`: how old what is no longer needed gets. */
export const retention: Reader<RetentionLimits> = (value, name, problems) => {
  const { runs: runsMs, artifacts: artifactsMs, logs: logsMs } = RETENTION(value, name, problems) ?? {};
  // What runs leave goes with them.
  return defined({ runsMs, artifactsMs: artifactsMs ?? runsMs, logsMs });
};
