import { defined, unlessEmpty } from '../../plan/defined';
import type { AskedBy, Submission, Ticket, TicketOutcome } from '../../plan/queue/ticket';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import { branchProblem } from '../../plan/text/ref-name';
import { beginning } from '../../plan/text/shortened';
import { queueId } from '../../records/queues/queue-id';
import { readOutcome, readRemarks, recordSubmission, wasGreen } from '../../records/queues/queue-ledger';
import type { QueueAsker } from '../queue-port';
import type { Toolbox } from '../toolbox';
import { messageLine } from '../worktrees/signed-commit';

type Asking = Pick<Toolbox, 'ledger'> & { queueAsker?: QueueAsker };

/**
 * Takes a ticket, for a run or for a person. Submitting again, for example after a crash, returns the same ticket: the first record counts.
 * Fails with `merge.dropped` if the submission was withdrawn before, and with `merge.refused` if its target cannot be a branch: no queue is
 * asked then.
 */
export async function takeTicket({ ledger, queueAsker }: Asking, asked: AskedBy, submission: Submission): Promise<Ticket> {
  if (!queueAsker) throw bug('this process has no way to ask merge queues');
  const { title, author, target } = submission;
  const problem = branchProblem(target.branch);
  if (problem) throw new ThermidorFailure('merge.refused', `${problem.message}; ${problem.hint}`);
  const recorded = await recordSubmission(ledger, asked, { ...submission, title: line(title), author: line(author) });
  if (!recorded) throw new ThermidorFailure('merge.dropped', `the submission "${asked.name}" was withdrawn before it was made`);
  return await queueAsker.ask(queueId(recorded.target), asked);
}

const MOST_TEXT = 200;

/** The subject of a commit, which is also in the queue's state. */
function line(text: string): string {
  return beginning(messageLine(text), MOST_TEXT);
}

/** The outcome; undefined while it is open. */
export async function submittedOutcome(
  { ledger }: Pick<Toolbox, 'ledger'>,
  { target, staysGreen }: Submission,
  asked: AskedBy,
): Promise<TicketOutcome | undefined> {
  const queue = queueId(target);
  const outcome = await readOutcome(ledger, queue, asked);
  if (outcome?.kind !== 'merged') return outcome;
  const remarks = await readRemarks(ledger, queue, asked);
  const isGreen = staysGreen !== undefined && (await wasGreen(ledger, queue, outcome.result, staysGreen));
  return { ...outcome, ...defined({ remarks: unlessEmpty(remarks), green: isGreen || undefined }) };
}
