import { ThermidorFailure } from '../../plan/run/failure';
import type { MergeHost } from '../queue-port';
import type { Toolbox } from '../toolbox';

export function requireMergeHost({ mergeHost }: Pick<Toolbox, 'mergeHost'>): MergeHost {
  if (mergeHost) return mergeHost;
  throw new ThermidorFailure('worktree.unavailable', 'this worker merges nothing; start it by `thermidor worker` or `thermidor up`');
}
