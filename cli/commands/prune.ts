import { runsOnServer } from '../../client/runs-on-server';
import { durationMs } from '../../plan/text/duration';
import { pruneWorkFolders } from '../../records/directory/work-folders';
import { LEAST_AGE_MS, PruneRefused, type PruneReport, pruneStore, type RetentionLimits } from '../../records/pruning/prune-store';
import type { Invocation } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { type Pruned, renderPruned } from '../rendering/pruned';
import { withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';

/**
 * Removes from the store what is older than its limit and no longer needed. Fails with `prune.refused` if clocks disagree, with
 * `store.unavailable`, and as every command that asks the server: then nothing more is removed.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const limits = limitsOf(options.text('olderThan'), configuration.retention.value);
  const dryRun = options.flag('dryRun');
  const records = recordsOf(configuration);
  return await withSession(invocation, 'answers', async ({ client }) => {
    const report = await pruneStore(records, runsOnServer(client), { limits, dryRun, signal: terminal.interrupted }).catch(asRefusal);
    const pruned: Pruned = { ...report, work: await pruneWorkFolders(configuration.stateDir.value, records, limits.runsMs, dryRun) };
    terminal.out(options.flag('json') ? `${JSON.stringify({ dryRun, ...pruned }, null, 2)}\n` : renderPruned(pruned, dryRun, terminal));
    return terminal.interrupted.aborted ? EXIT.detached : EXIT.done;
  });
}

function limitsOf(olderThan: string | undefined, set: RetentionLimits | undefined): RetentionLimits {
  if (olderThan === undefined) {
    if (set !== undefined && Object.keys(set).length > 0) return set;
    throw usage('nothing says how old things get', 'give --older-than 30d, or set `retention:` in thermidor.yaml');
  }
  const ms = durationMs(olderThan);
  if (ms === undefined || ms < LEAST_AGE_MS) throw usage(`--older-than must be at least 1d, such as 30d, got "${olderThan}"`);
  return { runsMs: ms, artifactsMs: ms, logsMs: ms };
}

function asRefusal(error: unknown): PruneReport {
  if (!(error instanceof PruneRefused)) throw error;
  throw new CommandFailure(EXIT.failed, 'prune.refused', error.message, { hint: 'set the clocks, and try again' });
}
