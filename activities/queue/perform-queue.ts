import type { QueueActivities, QueueActivityName } from '../../plan/queue/queue-activities';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';
import { admitCandidate } from './admit-candidate';
import { advanceTarget } from './advance-target';
import { concludeTickets } from './conclude-tickets';
import { mergeCandidates } from './merge-candidates';
import { requireMergeHost } from './require-merge-host';
import { testMerged } from './test-merged';

type QueuePerformers = {
  readonly [N in QueueActivityName]: (
    toolbox: Toolbox,
    call: ActivityCall,
    input: Parameters<QueueActivities[N]>[0],
  ) => ReturnType<QueueActivities[N]>;
};

/** What each activity of a merge queue does, without Temporal. */
export const PERFORM_QUEUE: QueuePerformers = {
  admitCandidate,
  queueSettings: async (toolbox, _call, { target }) => requireMergeHost(toolbox).rules(target),
  mergeCandidates,
  testMerged,
  advanceTarget,
  concludeTickets,
};
