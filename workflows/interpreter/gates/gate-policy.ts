import type { Decision, Gate } from '../../../plan/people/gate';
import { MOST_CONDITION, MOST_CONDITIONS } from '../../../plan/people/vote';
import type { SignalPayload } from '../../../plan/run/signal';
import { isJsonObject, type Json } from '../../../plan/text/json';
import type { NotApplied } from '../inbound/planned-command';
import type { Run } from '../run';
import { type FoundGate, gateLabel } from './find-gate';
import { delegatesAtGate } from './gate-view';
import { ALONE, type OtherGates, otherGatesOf } from './whole-question';

/** Who may answer a gate and how, for the run's own gates and for a child's. */
export interface GatePolicy
  extends Pick<Gate, 'kind' | 'choices' | 'approvers' | 'quorum' | 'comment' | 'identity' | 'ballot' | 'shownSha256'> {
  label: string;
  /** People who may not decide, neither themselves nor through another. A child checks its own gates when it is asked. */
  notBy: readonly string[];
  /** Who may fill an approver's place, the approver included. */
  fillers: (approver: string) => readonly string[];
  votes: readonly Decision[];
  /** The other gates of the same question. A child checks its own when it is asked. */
  others: OtherGates;
}

export function policyAt(run: Run, found: FoundGate): GatePolicy {
  const label = gateLabel(run, found);
  if ('view' in found) {
    const { view } = found;
    const fillers = (approver: string) => [approver, ...(own(view.delegates, approver) ?? [])];
    return { ...view, label, notBy: [], fillers, votes: [], others: ALONE };
  }
  const { path, gate } = found;
  const delegates = delegatesAtGate(run, gate);
  return {
    ...gate,
    label,
    notBy: gate.notBy ?? [],
    fillers(approver) {
      const others = own(delegates, approver) ?? [];
      // An approver who has delegated their place has none.
      return own(gate.handed, approver) === undefined ? [approver, ...others] : others;
    },
    votes: gate.approvals ?? [],
    others: otherGatesOf(run, path, gate),
  };
}

function own<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** What refuses any answer to this gate, from anybody. */
export function whyNoAnswer(policy: GatePolicy, { shown, proof }: SignalPayload): NotApplied | undefined {
  const { label, kind, identity, shownSha256 } = policy;
  if (kind === 'budget') {
    return { outcome: 'refused', reason: `${label} waits for a budget: send extend_budget with new ceilings, or abort` };
  }
  if (shown !== undefined) {
    if (!DIGEST.test(shown))
      return { outcome: 'unreadable', reason: '"shown" must be the first 8 to 64 hexadecimal digits of what was shown' };
    if (!shownSha256.startsWith(shown.toLowerCase())) {
      return {
        outcome: 'refused',
        reason: `${label} has changed since it was shown: look at it again, its digest is ${shownSha256.slice(0, 12)}`,
      };
    }
  }
  if (identity === 'proven' && !proof) {
    return { outcome: 'refused', reason: `${label} accepts only proven identities: answer from its channel, or sign with your token` };
  }
  return undefined;
}
const DIGEST = /^[0-9a-f]{8,64}$/i;

/** A comment that the policy demands and the answer lacks. */
export function whyNoComment({ label, comment: rule }: GatePolicy, choice: string, comment: string | undefined): NotApplied | undefined {
  const isNeeded = rule === 'always' || (rule === 'on_reject' && choice === 'reject');
  if (!isNeeded || comment?.trim()) return undefined;
  return { outcome: 'refused', reason: `${label} needs a comment with ${choice}: give a reason` };
}

/**
 * Why an answer is no vote: at a ballot the choice is the word of the vote, the comment its rationale, and the value its further fields. A
 * refused one does not use up the person's one vote.
 */
export function whyNoVote({ label, ballot }: GatePolicy, choice: string, { value }: SignalPayload): NotApplied | undefined {
  if (!ballot || value === undefined || value === null) return undefined;
  const problem = problemOf(value, choice);
  return problem === undefined ? undefined : { outcome: 'refused', reason: `${label}: ${problem}` };
}

function problemOf(value: Json, choice: string): string | undefined {
  if (!isJsonObject(value)) return 'the value of a vote is {"conditions", "confidence", "blocking"}';
  const { conditions = [], confidence = 1, blocking = false, ...more } = value;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) return `a vote has no "${unknown}": it takes conditions, confidence and blocking`;
  if (!Array.isArray(conditions) || !conditions.every(isCondition) || conditions.length > MOST_CONDITIONS)
    return `"conditions" is a list of texts, ${MOST_CONDITIONS} at most, with ${MOST_CONDITION} characters each`;
  if (typeof confidence !== 'number' || confidence < 0 || confidence > 1) return '"confidence" is a number from 0 to 1';
  if (typeof blocking !== 'boolean') return '"blocking" is true or false';
  return blocking && choice !== 'reject' ? 'only a rejection is blocking' : undefined;
}

function isCondition(text: Json): boolean {
  return typeof text === 'string' && text.trim() !== '' && text.length <= MOST_CONDITION;
}
