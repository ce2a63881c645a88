import type { Decision, Gate } from '../../../plan/people/gate';
import type { SignalPayload } from '../../../plan/run/signal';
import type { NotApplied } from '../inbound/planned-command';
import type { Run } from '../run';
import { delegatesAtGate } from './delegates';
import { type FoundGate, gateLabel } from './find-gate';
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
