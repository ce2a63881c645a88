import { createGit } from '../../activities/adapters/git/git';
import { checkStrategies } from '../../activities/queue/check-strategies';
import type { Plan } from '../../plan/plan';
import { rulesOf } from '../../worker/queues/queue-rules';
import { originOf } from '../../worker/worktrees/resolve-worktree';
import { type Configuration, gitAccess } from '../settings/configuration';

/**
 * Whether merge queues merge as a plan asks, by the settings of this folder: a run that fails at once should not be started, and no team
 * stopped for it. Workers of a configured server have their own settings, and look when they open the run. Fails with `merge.strategy`.
 */
export async function checkQueues(plan: Plan, configuration: Configuration): Promise<void> {
  if (configuration.address.value !== undefined) return;
  const git = createGit({ environment: process.env, ...gitAccess(configuration) });
  const host = { git, workFolder: configuration.root };
  const rules: Parameters<typeof checkStrategies>[0]['rules'] = (target) =>
    rulesOf(configuration.mergeQueues.value, target, git.remotes.identity);
  await checkStrategies({ rules, origin: (wanted, signal) => originOf(host, wanted, signal) }, plan);
}
