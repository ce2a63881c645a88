import { defined } from '../../../plan/defined';
import type { ApprovalNeed, Category, RecordedApproval } from '../../../plan/people/category';
import type { Decision } from '../../../plan/people/gate';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { APPROVALS_CHANNEL } from '../steps/activity-timeouts';
import { peopleInChain } from './approvers-above';
import { gateSpecOfPolicy } from './category-policy';
import { ESCALATED } from './gate-record';
import type { GateSpec } from './gate-spec';
import { decisionAt } from './gates';

/**
 * A person's yes to one action of a category (protocol.md point 9): bound to this run, to the category and to the digest of exactly
 * what is to be done, and used up by doing it. A no is recorded as well.
 */
export async function approvalFor(
  it: Interpreter,
  place: Place,
  action: { category: Category } | { need: ApprovalNeed; agent: string },
): Promise<RecordedApproval> {
  const { run } = it;
  const record = run.record(place.path);
  const category = 'need' in action ? action.need.category : action.category;
  const id = `${run.address(place.path)}/approval-${(record.attempt?.approvals?.length ?? 0) + 1}`;
  const about = { ...('need' in action ? { need: action.need } : {}), category };
  const policy = gateSpecOfPolicy(it, run.plan.requiresApproval?.[category] ?? {});
  let contentSha256 = '';
  const ask = (how: Partial<GateSpec>): Promise<Decision> =>
    decisionAt(it, place, { kind: 'approval', show: [], channel: APPROVALS_CHANNEL, ...how, ...about }, (_decision, asked) => {
      contentSha256 = 'need' in action ? action.need.contentSha256 : (asked.contentSha256 ?? '');
    });
  let decision = await ask(policy);
  if (decision.choice === ESCALATED && decision.via === 'time-out') decision = await ask(above(it, policy));
  const approval = recorded(id, category, contentSha256, decision);
  const { approved, by } = approval;
  const who = by === undefined ? {} : { by };
  run.journal.add({
    kind: 'approval',
    step: run.name(place.path),
    event: approved ? 'granted' : 'refused',
    category,
    contentSha256,
    id,
    ...who,
  });
  return approval;
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
