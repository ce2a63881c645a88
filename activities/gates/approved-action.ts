import type { Category, RecordedApproval } from '../../plan/people/category';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Address } from '../../plan/steps/address';
import { formatAddress } from '../../plan/steps/address';
import type { Step } from '../../plan/steps/step';
import { sameJson } from '../../plan/text/json';
import type { RunKey } from '../../records/ledger';
import type { LoadedRun } from '../run/loaded-run';
import type { Toolbox } from '../toolbox';
import { approvalUse } from '../tools/authorise';
import { type ActionInput, actionContent } from './action-content';

/**
 * No action of a category happens without a person's approval (docs/protocol.md, 4.7). An approval is bound to the run, by its ledger; to
 * the category; and to the content, by its digest. The action it is for uses it up: `by` is the user, and a retry of the same action by
 * Temporal continues with the same approval.
 */
export interface ApprovedAction {
  category: Category;
  contentSha256: string;
  by: string;
}

/** The approval with which an action may proceed, marked as used up; undefined if there is none. */
async function useApproval(
  { ledger }: Toolbox,
  key: RunKey,
  { category, contentSha256, by }: ApprovedAction,
  approvals: readonly RecordedApproval[] = [],
): Promise<RecordedApproval | undefined> {
  const fitting = approvals.filter((one) => one.approved && one.category === category && one.contentSha256 === contentSha256);
  for (const approval of fitting) {
    const mine = { address: by };
    if (sameJson(await ledger.putIfAbsent(key, approvalUse(approval.id), mine), mine)) return approval;
  }
  return undefined;
}

/**
 * Must be called before a step does anything. A step without a category passes. Fails with `approval.missing` (details `{step, category,
 * contentSha256}`).
 */
export async function requireApproval(
  toolbox: Toolbox,
  run: LoadedRun,
  step: Step,
  address: Address,
  input: ActionInput & { approvals?: RecordedApproval[] },
): Promise<void> {
  const { category } = step;
  if (category === undefined) return;
  const { sha256: contentSha256, summary } = await actionContent(toolbox, run, step, input);
  const action = { category, contentSha256, by: formatAddress(address) };
  if (await useApproval(toolbox, run.key, action, input.approvals)) return;
  const refused = input.approvals?.find((one) => !one.approved && one.contentSha256 === contentSha256);
  const why = refused ? `${refused.by ?? 'somebody'} refused it` : 'nobody has approved exactly this';
  const message = `step "${step.id}" is of category ${category}, and ${why}: ${summary}`;
  throw new ThermidorFailure('approval.missing', message, { step: step.id, category, contentSha256 });
}
