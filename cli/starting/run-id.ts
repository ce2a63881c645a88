import { randomInt } from 'node:crypto';
import { newBriefId, newRunId } from '../../client/run-id';
import { usage } from '../exit';

/** An id for a brief whose file has none. */
export function madeBriefId(): string {
  return newBriefId(new Date(), (limit) => randomInt(limit));
}

/** The id of a new run: the given one, if it is valid (else exit 2). */
export function runId(given: string | undefined, pipeline: string): string {
  if (given === undefined) return newRunId(pipeline, new Date(), (limit) => randomInt(limit));
  if (/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/.test(given)) return given;
  throw usage(`--id "${given}" cannot be a run's id`, 'letters, digits and _ . : - , at most 200');
}
