import type { Decision } from '../../../plan/people/gate';
import { didYouMean } from '../../../plan/text/nearest-word';
import type { NotApplied } from '../inbound/planned-command';
import type { GatePolicy } from './gate-policy';

/**
 * Whose place somebody decides in. Each approver has one place, which they or their delegate fills; where no approvers are named
 * everybody has a place of their own.
 *
 * Invariants: 1. nobody fills two places at one gate; 2. who is barred fills none, and nobody fills the place of who is barred.
 */
export interface ApproverSlot {
  /** The approver whose place it is, or the person themselves. Absent: nobody is named, and nobody needs to be. */
  of?: string;
  inPlaceOf?: string;
}

export function approverFor(policy: GatePolicy, by: string | undefined): ApproverSlot | NotApplied {
  const { label, approvers, notBy, votes } = policy;
  if (by !== undefined && notBy.includes(by)) return refused(`${by} may not decide on ${label}: it needs another person`);
  if (!approvers) {
    if (by === undefined && notBy.length > 0) return refused(`${label} needs a second person: give your name`);
    return by === undefined ? {} : { of: by };
  }
  const list = `approvers: ${approvers.join(', ')}`;
  if (by === undefined) return refused(`nobody is named; ${list}`);
  const filled = approvers.filter((approver) => policy.fillers(approver).includes(by));
  if (filled.length === 0) {
    if (!approvers.includes(by)) return refused(`${by} may not decide on ${label}; ${didYouMean(by, approvers, list)}`);
    return refused(`${by} has delegated their vote at ${label} to ${policy.fillers(by).join(', ')}`);
  }
  const open = filled.filter((approver) => !notBy.includes(approver));
  if (open.length === 0) return refused(`${by} may not decide on ${label} in place of ${filled.join(', ')}: it needs another person`);
  if (open.includes(by)) return { of: by };
  const of = open.find((approver) => !votes.some((vote) => approverOf(vote) === approver)) ?? open[0];
  return of === undefined ? {} : { of, inPlaceOf: of };
}

/** The place that a decision was made in. */
export function approverOf({ by, inPlaceOf }: Decision): string | undefined {
  return inPlaceOf ?? by;
}

function refused(reason: string): NotApplied {
  return { outcome: 'refused', reason };
}
