import type { Admission, AdmitInput } from '../../plan/queue/queue-activities';
import { queueId } from '../../records/queues/queue-id';
import { readOutcome, readSubmission } from '../../records/queues/queue-ledger';
import type { ActivityCall } from '../activity-call';
import { withHeartbeat } from '../heartbeat';
import type { Toolbox } from '../toolbox';
import { landedBefore } from './landed-before';

/** Reads the submission of a ticket. Only what its asker's ledger has is believed. */
export async function admitCandidate(toolbox: Toolbox, call: ActivityCall, { asked }: AdmitInput): Promise<Admission> {
  const { ledger } = toolbox;
  const queue = call.key.workflowId;
  const outcome = await readOutcome(ledger, queue, asked);
  if (outcome) return { kind: 'known', outcome };
  const submission = await readSubmission(ledger, asked);
  if (!submission)
    return { kind: 'refused', message: `the ledger of ${asked.workflowId} has no submission "${asked.name}"; submit it before you ask` };
  const { target, candidate, title, author, priority } = submission;
  if (queueId(target) !== queue) {
    return { kind: 'refused', message: `it is for ${target.branch} of ${target.repository}; ask ${queueId(target)}` };
  }
  const landed = await withHeartbeat(
    call,
    () => 0,
    () => landedBefore(toolbox, call, target, asked),
  );
  return landed
    ? { kind: 'known', outcome: { kind: 'merged', result: landed } }
    : { kind: 'admitted', target, candidate: { candidate, title, author, priority } };
}
