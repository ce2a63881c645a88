import { defined } from '../../plan/defined';
import type { QueueActivities, QueueActivityName } from '../../plan/queue/queue-activities';
import { readPause } from '../../records/queues/queue-ledger';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';
import { admitCandidate } from './admit-candidate';
import { advanceTarget } from './advance-target';
import { concludeTickets } from './conclude-tickets';
import { mergeCandidates } from './merge-candidates';
import { onAnotherHost } from './on-another-host';
import { requireOwnTarget } from './own-records';
import { requireMergeHost } from './require-merge-host';
import { testMerged } from './test-merged';

type QueuePerformers = {
  readonly [N in QueueActivityName]: (
    toolbox: Toolbox,
    call: ActivityCall,
    input: Parameters<QueueActivities[N]>[0],
  ) => ReturnType<QueueActivities[N]>;
};

/** The implementation of each activity of a merge queue, without Temporal. */
export const PERFORM_QUEUE: QueuePerformers = {
  admitCandidate: (...given) => onAnotherHost(() => admitCandidate(...given)),
  queueSettings: (toolbox, call, { target }) =>
    onAnotherHost(async () => {
      requireOwnTarget(call, target);
      const rules = await requireMergeHost(toolbox).rules(target);
      return { ...rules, ...defined({ pause: await readPause(toolbox.ledger, call.key.workflowId) }) };
    }),
  mergeCandidates: (...given) => onAnotherHost(() => mergeCandidates(...given)),
  testMerged: (...given) => onAnotherHost(() => testMerged(...given)),
  advanceTarget: (...given) => onAnotherHost(() => advanceTarget(...given)),
  concludeTickets: (...given) => onAnotherHost(() => concludeTickets(...given)),
};
