import { isMomentPart, isRunSuffix, momentIn } from '../../client/run-id';
import type { Ledger } from '../../records/ledger';
import type { ListedRun } from '../../records/run-index';
import { newestOfPipeline } from '../../records/runs/list-runs';
import { CommandFailure, EXIT } from '../exit';

const SHOWN = 10;

/** As below, and also by a pipeline's name, which means its newest run. */
export async function findRunOfFolder(ledger: Pick<Ledger, 'get'>, runs: readonly ListedRun[], given: string): Promise<string> {
  if (runs.some(({ workflowId }) => workflowId === given)) return given;
  return (await newestOfPipeline(ledger, runs, given)) ?? findInLedger(runs, given);
}

/**
 * Finds a run in the ledger by its whole id, an unambiguous beginning of it, its last six characters, or a part of a scheduled run's
 * moment, as `client/find-run.ts` does on a server. Fails with `run.not-found` or `run.ambiguous`.
 */
export function findInLedger(runs: readonly ListedRun[], given: string): string {
  const ids = [...new Set(runs.flatMap(({ workflowId }) => workflowId ?? []))].sort();
  if (ids.includes(given)) return given;
  const beginning = ids.filter(
    (id) => id.startsWith(given) && !ids.some((parent) => parent.startsWith(given) && id.startsWith(`${parent}.`)),
  );
  const found = beginning.length > 0 ? beginning : ids.filter((id) => isEndOf(id, given));
  const [only, ...others] = found;
  if (only === undefined) {
    throw new CommandFailure(EXIT.failed, 'run.not-found', `there is no run "${given}" in this store`, {
      hint: 'give an id, its beginning, its last 6 characters, a part of a scheduled run’s time, or a pipeline’s name; use the store of the workers: --state-dir, state_dir, or store',
    });
  }
  if (others.length === 0) return only;
  const more = found.length > SHOWN ? ', …' : '';
  const message = `"${given}" fits several runs: ${found.slice(0, SHOWN).join(', ')}${more}`;
  throw new CommandFailure(EXIT.usage, 'run.ambiguous', message, { hint: 'give more of the id, or its last 6 characters' });
}

function isEndOf(id: string, given: string): boolean {
  return (isRunSuffix(given) && id.endsWith(`-${given}`)) || (isMomentPart(given) && momentIn(id)?.includes(given) === true);
}
