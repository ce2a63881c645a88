import { realpathSync } from 'node:fs';
import { DEFAULT_QUEUE_SETTINGS, type QueueSettings } from '../../plan/queue/queue-settings';
import type { QueueTarget } from '../../plan/queue/ticket';
import { isUrl } from '../worktrees/is-url';

/** One of the `queues` in thermidor.yaml. */
export interface QueueRule {
  /** Absolute path, or a URL. */
  repo: string;
  /** Absent: every branch. */
  branch?: string;
  settings: Partial<QueueSettings>;
}

/**
 * The rules of a queue, from a single matching entry with defaults for what it omits. An entry for the branch comes before one for every
 * branch.
 */
export function rulesOf(
  rules: readonly QueueRule[],
  { repository, branch }: Pick<QueueTarget, 'repository' | 'branch'>,
  identity: (url: string) => string,
): QueueSettings {
  const ours = rules.filter(({ repo }) => (isUrl(repo) ? identity(repo) : realPath(repo)) === repository);
  const found = ours.find((rule) => rule.branch === branch) ?? ours.find((rule) => rule.branch === undefined);
  return { ...DEFAULT_QUEUE_SETTINGS, ...found?.settings };
}

/** The path by which git knows the repository. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Git says what is wrong with it when it works there.
    return path;
  }
}
