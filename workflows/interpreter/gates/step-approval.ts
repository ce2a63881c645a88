import { defined } from '../../../plan/defined';
import type { ApprovalNeed, Category, RecordedApproval } from '../../../plan/people/category';
import type { Decision } from '../../../plan/people/gate';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { attemptOf } from '../state/step-record';
import { APPROVALS_CHANNEL } from '../steps/activity-timeouts';
import { peopleInChain } from './approvers-above';
import { gateSpecOfPolicy } from './category-policy';
import { ESCALATED, type TakenDecision } from './gate-record';
import type { GateSpec } from './gate-spec';

/**
 * A person's approval of one action of a category (docs/protocol.md, 4.7): bound to this run, to the category and to the digest of exactly
 * what is going to be done, and used up by doing it. A refusal is recorded as well.
 */
export async function approvalFor(
  it: Interpreter,
  place: Place,
  ctx: StepContext,
  action: { category: Category } | { need: ApprovalNeed; agent: string },
): Promise<RecordedApproval> {
  const { run } = it;
  const about = 'need' in action ? { need: action.need, category: action.need.category } : action;
  const { category } = about;
  const policy = gateSpecOfPolicy(it, run.plan.requiresApproval?.[category] ?? {});
  const ask = (key: string, how: Partial<GateSpec>): Promise<TakenDecision> =>
    ctx.gate(key, { kind: 'approval', show: [], channel: APPROVALS_CHANNEL, ...how, ...about });
  const { given } = attemptOf(run.record(place.path));
  let decision = await ask('leave', 'need' in action ? policy : { ...policy, ...defined({ given }) });
  if (decision.choice === ESCALATED && decision.via === 'time-out') decision = await ask('leave-above', above(it, policy));
  return ctx.once('approval', () => {
    const attempt = attemptOf(run.record(place.path));
    const { approvals = [] } = attempt;
    const contentSha256 = 'need' in action ? action.need.contentSha256 : (decision.contentSha256 ?? '');
    const approvalId = decision.approvalId ?? `${run.address(place.path)}/approval-${approvals.length + 1}`;
    const approval = recorded(approvalId, category, contentSha256, decision);
    attempt.approvals = [...approvals, approval];
    const { approved, by, id } = approval;
    if (approved && !('need' in action)) attempt.given = { ...decision, approvalId };
    const event = decision.approvalId !== undefined ? 'kept' : approved ? 'granted' : 'refused';
    run.journal.add({ kind: 'approval', step: run.name(place.path), event, category, contentSha256, id, ...defined({ by }) });
    return approval;
  });
}

/** The next above are the people of the run's chain, or the same again; they are waited for without end. */
function above(it: Interpreter, { timeoutMs: _over, onTimeout: _done, quorum, ...policy }: Partial<GateSpec>): Partial<GateSpec> {
  const next = peopleInChain(it).find((target) => target.kind === 'human');
  if (next?.kind !== 'human') return { ...policy, ...defined({ quorum }) };
  const { channel } = next;
  const people = next.people ?? (policy.approvers ? undefined : next.approvers);
  const count = quorum === undefined ? undefined : people ? Math.min(quorum, people.length) : quorum;
  return {
    ...policy,
    ...defined({ approvers: people, channel, quorum: count }),
  };
}

function recorded(id: string, category: Category, contentSha256: string, { choice, by, comment }: Decision): RecordedApproval {
  return {
    id,
    category,
    contentSha256,
    approved: choice === 'approve',
    ...defined({ by, comment }),
  };
}
