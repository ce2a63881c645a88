import type { Category } from '../../../plan/people/category';
import type { DecisionPolicy, WhoDecides } from '../../../plan/people/decision-policy';
import { neededOf, type Quorum } from '../../../plan/people/quorum';
import { APPROVALS_CHANNEL, type CategoryPolicy, type Plan } from '../../../plan/plan';
import type { Located } from '../../diagnostics/diagnostic';
import { ANYONE } from '../../language/patterns';
import { entryOf } from '../../read/node';
import type { CategorySource } from '../../shape/source';
import type { PolicySource, WhoSource } from '../../shape/source-parts';
import { useChannel } from '../context';
import type { LowerContext } from '../lower-context';
import { anyoneIn, approversIn, approversOf } from './people';

/**
 * Who may answer, in the plan's words: those named, else those of the channel. This is separate because a gate needs it before its
 * question.
 */
export function addWho(to: WhoDecides, source: WhoSource, context: LowerContext, channel = to.channel): { allKnown: boolean } {
  const named = source.approvers ?? [];
  const anyone = anyoneIn(named);
  if (anyone && named.length > 1)
    context.report('names.reserved', anyone.at, `"${ANYONE}" cannot be combined with others`, 'use it alone, or remove it');
  const found = named.length > 0 && !anyone ? approversOf(named, context) : undefined;
  const approvers = found?.approvers ?? (anyone ? undefined : approversIn(channel, context));
  if (approvers) to.approvers = approvers;
  if (source.identity === 'proven') to.identity = source.identity;
  if (source.remindMs !== undefined) to.remindMs = source.remindMs;
  return { allKnown: found?.allKnown ?? true };
}

export function addChannel(to: WhoDecides, { channel }: Pick<WhoSource, 'channel'>, context: LowerContext): void {
  if (!channel) return;
  useChannel(channel, context);
  to.channel = channel.value;
}

/** Adds what decides a yes-or-no question. `allKnown`: if an approver is unknown, whether enough can approve is not checked. */
export function addDecision(to: DecisionPolicy, source: PolicySource, allKnown: boolean, context: LowerContext): void {
  const needed = source.quorum && peopleNeeded(source.quorum, to.approvers, context);
  if (needed !== undefined && needed > 1) to.quorum = needed;
  if (source.fourEyes) to.fourEyes = true;
  if (source.comment) to.comment = source.comment;
  if (source.onTimeout && source.onTimeout !== 'wait') to.onTimeout = source.onTimeout;
  if (allKnown && to.approvers) checkDecidable(to.approvers, to.identity, source, needed ?? 1, context);
}

/** How many people a quorum means: a share counts the places of the approvers, with groups counted by their members. */
function peopleNeeded(
  { value, at }: Located<Quorum>,
  approvers: readonly string[] | undefined,
  { report }: LowerContext,
): number | undefined {
  if ('count' in value) return value.count;
  if (approvers) return neededOf(value, approvers.length);
  report(
    'gate.share-of-anybody',
    at,
    '"quorum" is a share, but no "approvers" are named',
    'name the approvers, or write a count such as 2',
  );
  return undefined;
}

/** Reports a gate that can never close, which is a mistake and not a long wait. */
function checkDecidable(
  approvers: readonly string[],
  identity: WhoDecides['identity'],
  { quorum, fourEyes: isAsked, node }: PolicySource,
  wanted: number,
  { pipeline, report }: LowerContext,
): void {
  if (quorum && wanted > approvers.length) {
    const message = `"quorum" is ${wanted}, but ${approvers.length === 1 ? 'one person' : `${approvers.length} people`} may decide`;
    report('gate.quorum-too-large', quorum.at, message, 'name more approvers, or lower the quorum');
    return;
  }
  const fourEyes = isAsked && entryOf(node, 'four_eyes')?.keyAt;
  if (!fourEyes) return;
  const owner = pipeline.owner?.value;
  const left = approvers.filter((name) => name !== owner);
  if (left.length < wanted) {
    const others = left.length === 0 ? 'no other approver is named' : `only ${left.length} of ${wanted} approvers are left`;
    report(
      'gate.nobody-can-decide',
      fourEyes,
      `with "four_eyes" the owner "${owner}" may not decide, and ${others}`,
      'name another approver',
    );
    return;
  }
  // With proven identities, the requester and the approver are two different people.
  if (identity !== 'proven' || left.length > 1) return;
  const message = `"${left[0]}" alone may decide, so the gate passes only in a run whose starter is proven`;
  const never = pipeline.triggers.length > 0 ? ', and never in one that its trigger starts' : '';
  report('gate.needs-proven-starter', fourEyes, `${message}${never}`, 'name another approver, or start every run with --token');
}

/** Lowers `requires_approval` of a file. */
export function requiredApprovals(
  sources: ReadonlyMap<Category, CategorySource>,
  context: LowerContext,
): NonNullable<Plan['requiresApproval']> {
  const found: NonNullable<Plan['requiresApproval']> = {};
  for (const [category, source] of sources) {
    const policy: CategoryPolicy = {};
    addChannel(policy, source, context);
    const { allKnown } = addWho(policy, source, context, policy.channel ?? APPROVALS_CHANNEL);
    addDecision(policy, source, allKnown, context);
    if (source.timeoutMs !== undefined) policy.timeoutMs = source.timeoutMs;
    found[category] = policy;
  }
  return found;
}
