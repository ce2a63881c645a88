import type { Decision } from '../../../plan/people/gate';
import { didYouMean } from '../../../plan/text/nearest-word';
import type { NotApplied } from '../inbound/planned-command';
import type { GatePolicy } from './gate-policy';
import type { FilledPlace } from './gate-record';
import { secondPlace } from './whole-question';

/**
 * In whose place somebody decides. Each approver has one place, which they or their delegate fill; if no approvers are named everybody has
 * a place of their own.
 *
 * Invariants: 1. nobody fills two places at one gate, nor in one question (`whole-question.ts`); 2. a barred person fills none, and nobody
 * fills the place of a barred person.
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
    return by === undefined ? {} : slotIn(policy, by, [by]);
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
  const isFree = (approver: string) => !votes.some((vote) => approverOf(vote) === approver);
  const inOrder = [...open.filter(isFree), ...open.filter((approver) => !isFree(approver))];
  return slotIn(policy, by, open.includes(by) ? [by, ...inOrder.filter((approver) => approver !== by)] : inOrder);
}

/** The first of these places that is not a second one in the question. */
function slotIn(policy: GatePolicy, by: string, places: readonly string[]): ApproverSlot | NotApplied {
  const { others } = policy;
  const of = places.find((place) => !secondPlace(others, by, place));
  if (of !== undefined) return of === by ? { of } : { of, inPlaceOf: of };
  const [first = by] = places;
  const filled = secondPlace(others, by, first);
  return refused(filled ? whySecondPlace(policy, filled, by, first) : `${by} may not decide on ${policy.label}`);
}

function whySecondPlace({ label, approvers, others }: GatePolicy, filled: FilledPlace, by: string, of: string): string {
  const whole = others.kind === 'ballots' ? 'vote' : 'question';
  const at = filled.gate === label ? 'at the gate before' : `at ${filled.gate}`;
  const who = describePlace(filled);
  const rule = filled.by === by ? `nobody fills two places in one ${whole}` : `${of} has one voice in the ${whole}`;
  const way = approvers?.includes(by)
    ? `let another approver answer ${label}, or hand your place there over with delegate`
    : `${of} can answer ${label}, or hand the place over with delegate to somebody who has not answered`;
  return `${who} has already answered ${at}, and ${rule}: ${way}`;
}

function describePlace({ by, of }: FilledPlace): string {
  return of === by ? by : `${by} in place of ${of}`;
}

/** The place that a decision was made in. */
export function approverOf({ by, inPlaceOf }: Decision): string | undefined {
  return inPlaceOf ?? by;
}

function refused(reason: string): NotApplied {
  return { outcome: 'refused', reason };
}
