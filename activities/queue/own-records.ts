import type { QueueSettings } from '../../plan/queue/queue-settings';
import { type AskedBy, isSameTarget, type QueueTarget, type Submission } from '../../plan/queue/ticket';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import { queueId } from '../../records/queues/queue-id';
import { readResults, readSubmission, wasBuilt, wasTested } from '../../records/queues/queue-ledger';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';

/** A queue may only do what its ledger has. Inputs of its activities only say where to look. All fail with `queue.not-recorded`. */
type Asked = [toolbox: Pick<Toolbox, 'ledger'>, call: Pick<ActivityCall, 'key'>];

/** A queue works on one branch, which its id names. */
export function requireOwnTarget({ key }: Pick<ActivityCall, 'key'>, target: QueueTarget): void {
  if (queueId(target) !== key.workflowId)
    throw notRecorded(`${key.workflowId} is not the queue of ${target.branch} of ${target.repository}`);
}

/** Fails with `internal` if it was recorded and is gone. */
export async function requireSubmission({ ledger }: Asked[0], asked: AskedBy, target: QueueTarget): Promise<Submission> {
  const submission = await readSubmission(ledger, asked);
  if (!submission) throw bug(`the submission "${asked.name}" of ${asked.workflowId} is gone`);
  if (isSameTarget(submission.target, target)) return submission;
  const { branch, repository } = submission.target;
  throw notRecorded(`the submission "${asked.name}" of ${asked.workflowId} is for ${branch} of ${repository}`);
}

/** Commits that the queue has made, or has merged onto. */
export async function requireBuilt({ ledger }: Asked[0], { key }: Asked[1], commits: readonly (string | undefined)[]): Promise<void> {
  for (const commit of commits) {
    if (commit !== undefined && !(await wasBuilt(ledger, key.workflowId, commit)))
      throw notRecorded(`the queue has neither made ${commit} nor merged anything onto it`);
  }
}

/** Also checks this worker's rules: if workers have different ones, or they have changed since, it is tested again. */
export async function requireGreen({ ledger }: Asked[0], { key }: Asked[1], commit: string, rules: QueueSettings): Promise<void> {
  if (!(await wasTested(ledger, key.workflowId, commit, rules)))
    throw notRecorded(`${commit} was not green by the rules that this worker has; give all workers the same \`queues\``);
}

/** Recorded before the target moved. */
export async function requireResult({ ledger }: Asked[0], { key }: Asked[1], asked: AskedBy, result: string): Promise<void> {
  if (!(await readResults(ledger, key.workflowId, asked)).includes(result))
    throw notRecorded(`"${asked.name}" of ${asked.workflowId} is not in ${result}`);
}

function notRecorded(message: string): ThermidorFailure {
  return new ThermidorFailure('queue.not-recorded', message);
}
