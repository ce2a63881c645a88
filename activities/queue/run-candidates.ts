import { defined } from '../../plan/defined';
import type {
  CandidateOutcome,
  CandidateOutcomeInput,
  SubmitCandidateInput,
  SubmittedCandidate,
  WithdrawCandidateInput,
} from '../../plan/queue/landing';
import type { AskedBy, QueueTarget, Submission } from '../../plan/queue/ticket';
import type { ArtifactRef } from '../../plan/run/artifact';
import { bug } from '../../plan/run/failure';
import type { MadeIn } from '../../plan/run/worktree';
import { field, type Json } from '../../plan/text/json';
import { queueId } from '../../records/queues/queue-id';
import { readSubmission, withdrawSubmission } from '../../records/queues/queue-ledger';
import { type ActivityCall, requireAddress } from '../activity-call';
import { loadRun, stepAt } from '../run/load-run';
import { storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import { requireSlot } from '../worktrees/slot-record';
import { checkStrategy } from './check-strategy';
import { requireMergeHost } from './require-merge-host';
import { submittedOutcome, takeTicket } from './take-ticket';

/** A run's candidates, on their way to a merge queue. Each call may run twice: what was recorded first counts. */

/** Fails with `merge.strategy`, `queue.unavailable`. */
export async function submitCandidate(toolbox: Toolbox, call: ActivityCall, input: SubmitCandidateInput): Promise<SubmittedCandidate> {
  const { name, from, into, strategy, restrictedBy, staysGreen, run: _run, ...said } = input;
  const target = await targetOf(toolbox, call, input);
  if (strategy !== undefined) checkStrategy(requireMergeHost(toolbox).rules(target).strategy, strategy, into);
  const asked = askedBy(call, name);
  const byAssignment = restrictedBy && (await restrictedIn(toolbox, restrictedBy));
  const submission: Submission = {
    ...said,
    target,
    candidate: from.commit,
    ref: from.ref,
    madeIn: madeIn(call, from),
    ...defined({ staysGreen: staysGreen && (await testOfEnd(toolbox, call)) }),
    ...byAssignment,
  };
  const { number } = await takeTicket(toolbox, asked, submission);
  const outcome = await submittedOutcome(toolbox, submission, asked);
  return { queue: queueId(target), ticket: number, ...defined({ outcome }) };
}

export async function candidateOutcome(
  toolbox: Toolbox,
  call: ActivityCall,
  { name, ask }: CandidateOutcomeInput,
): Promise<CandidateOutcome> {
  const asked = askedBy(call, name);
  const submission = await readSubmission(toolbox.ledger, asked);
  if (!submission) throw bug(`the ledger has no submission "${name}"`);
  const known = await submittedOutcome(toolbox, submission, asked);
  if (known) return { outcome: known };
  if (ask) await takeTicket(toolbox, asked, submission);
  return {};
}

/** A submission that is still on its way finds that it came too late, and a ticket is dropped. */
export async function withdrawCandidate(toolbox: Toolbox, call: ActivityCall, { name }: WithdrawCandidateInput): Promise<void> {
  const asked = askedBy(call, name);
  const submission = await withdrawSubmission(toolbox.ledger, asked);
  if (!submission || (await submittedOutcome(toolbox, submission, asked))) return;
  const { number } = await takeTicket(toolbox, asked, submission);
  await toolbox.queueAsker?.drop(queueId(submission.target), number);
}

async function restrictedIn({ artifacts }: Toolbox, ref: ArtifactRef): Promise<Pick<Submission, 'restricted' | 'own'>> {
  const { value } = await storedValue(artifacts, ref);
  const [restricted, own] = [textsIn(value, 'restricted_files'), textsIn(value, 'target_files')];
  if (!restricted) throw bug(`${ref.name} does not say what is restricted`);
  // In one checkout a candidate has everybody's work.
  return { restricted, ...(own && field(value, 'owned_by_others') === undefined ? { own } : {}) };
}

/** The command from the plan: an input only says that it counts. */
async function testOfEnd(toolbox: Toolbox, call: ActivityCall): Promise<string> {
  const step = stepAt(await loadRun(toolbox, call.key), requireAddress(call));
  if ('testEnd' in step && step.testEnd !== undefined) return step.testEnd;
  throw bug(`step "${step.id}" has no test for the end`);
}

function textsIn(value: Json, key: string): string[] | undefined {
  const listed: unknown = field(value, key);
  return Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : undefined;
}

function askedBy({ key }: ActivityCall, name: string): AskedBy {
  return { ...key, name };
}

function madeIn({ key }: ActivityCall, from: SubmitCandidateInput['from']): MadeIn {
  return from.madeIn ?? { ...key, slot: from.slot };
}

/** The repository is that of the worktree's record, whatever the input says. Each host finds a remote's URL in its own checkout. */
async function targetOf({ ledger }: Toolbox, call: ActivityCall, { from, into }: SubmitCandidateInput): Promise<QueueTarget> {
  const of = madeIn(call, from);
  const { repository, refsIn, remote } = (await requireSlot(ledger, of, of.slot)).plan;
  return { repository, refsIn, branch: into, ...(remote && refsIn === 'remote' ? { remote } : {}) };
}
