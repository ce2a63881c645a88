import { realpathSync } from 'node:fs';
import { DEFAULT_QUEUE_SETTINGS, type QueueSettings } from '../../plan/queue/queue-settings';
import type { QueueTarget } from '../../plan/queue/ticket';
import { isUrl } from '../worktrees/is-url';

/** The rules of one of the `queues` in thermidor.yaml. */
export interface QueueRule {
  /** Absolute path, or a URL. */
  repo: string;
  /** Absent: every branch. */
  branch?: string;
  settings: Partial<QueueSettings>;
}

/** One rule that fits says all; what it leaves out has its default. A rule for the branch comes before one for every branch. */
export function rulesOf(
  rules: readonly QueueRule[],
  { repository, branch }: Pick<QueueTarget, 'repository' | 'branch'>,
  identity: (url: string) => string,
): QueueSettings {
  const ours = rules.filter(({ repo }) => (isUrl(repo) ? identity(repo) : realPath(repo)) === repository);
  const found = ours.find((rule) => rule.branch === branch) ?? ours.find((rule) => rule.branch === undefined);
  return { ...DEFAULT_QUEUE_SETTINGS, ...found?.settings };
}

/** As git knows the repository. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
