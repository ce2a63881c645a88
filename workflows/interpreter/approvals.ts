import type { ApprovalNeed, Category, RecordedApproval } from '../../plan/category';
import type { Decision } from '../../plan/gate';
import { decisionAt, type GateSpec } from './gates';
import type { Interpreter } from './interpreter';
import { gateSpecOfPolicy } from './people/policy';
import type { Place } from './place';
import { APPROVALS_CHANNEL } from './policies';

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
  const id = `${run.address(place.path)}/approval-${(record.approvals?.length ?? 0) + 1}`;
  const decision = await decisionAt(it, place, {
    kind: 'approval',
    show: [],
    channel: APPROVALS_CHANNEL,
    ...gateSpecOfPolicy(it, run.plan.requiresApproval?.[category] ?? {}),
    ...('need' in action ? { need: action.need } : {}),
    category,
  } satisfies GateSpec);
  const contentSha256 = 'need' in action ? action.need.contentSha256 : (record.contentSha256 ?? '');
  delete record.contentSha256;
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

function recorded(id: string, category: Category, contentSha256: string, { choice, by, comment }: Decision): RecordedApproval {
  return {
    id,
    category,
    contentSha256,
    approved: choice === 'approve',
    ...(by === undefined ? {} : { by }),
    ...(comment === undefined ? {} : { comment }),
  };
}
