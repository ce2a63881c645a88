import { DEFAULT_QUEUE_SETTINGS, type QueueSettings } from '../../plan/queue/queue-settings';
import type { QueueTarget } from '../../plan/queue/ticket';

/** The rules of `queues` in thermidor.yaml. */
export interface QueueRule {
  /** Absolute path, or a URL. */
  repo: string;
  /** Absent: every branch. */
  branch?: string;
  settings: Partial<QueueSettings>;
}

/** The first rule that fits says all; what it leaves out has its default. A rule with the branch comes before one for every branch. */
export function rulesOf(rules: readonly QueueRule[], target: Pick<QueueTarget, 'repository' | 'branch'>, identity: (url: string) => string): QueueSettings {
  const ours = rules.filter(({ repo }) => [repo, identity(repo)].includes(target.repository));
  const found = ours.find(({ branch }) => branch === target.branch) ?? ours.find(({ branch }) => branch === undefined);
  return { ...DEFAULT_QUEUE_SETTINGS, ...found?.settings };
}
