import { defined } from '../../../plan/defined';
import type { SignalPayload } from '../../../plan/run/signal';
import { didYouMean } from '../../../plan/text/nearest-word';
import { planChildDecision } from '../containers/child-runs';
import type { NotApplied, PlannedCommand } from '../inbound/planned-command';
import type { Interpreter } from '../interpreter';
import { approverOf } from './approver';
import { gateFor, whyClosed } from './find-gate';
import { type GatePolicy, policyAt, whyNoAnswer } from './gate-policy';
import type { OpenGate } from './gate-view';
import { proveFirst } from './proof';
import type { OtherGates } from './whole-question';

/**
 * An approver gives their place at one gate to somebody else: from then on that person decides there, and they do not. Giving it to
 * themselves takes it back.
 *
 * Invariant: a delegation never reduces the number of people who must agree: nobody gets a place who has one there already.
 */
export function planDelegation(it: Interpreter, payload: SignalPayload, sealedFor?: string): PlannedCommand {
  const { run } = it;
  const { by, to } = payload;
  if (by === undefined || to === undefined || to === '') return { outcome: 'unreadable', reason: 'delegate needs "by" and "to"' };
  const found = gateFor(run, payload);
  if ('outcome' in found) return found;
  return proveFirst(it, found, 'delegate', payload, sealedFor, () => {
    const policy = policyAt(run, found);
    const problem = whyClosed(run, found) ?? whyNoAnswer(policy, payload) ?? whyNot(policy, by, to);
    if (problem) return problem;
    if ('view' in found) return planChildDecision(it, found, 'delegate', payload, sealedFor);
    return handOver(it, found, policy, { by, to, ...defined({ comment: payload.comment }) });
  });
}

function handOver(
  it: Interpreter,
  { gate }: OpenGate,
  { label }: GatePolicy,
  { by, to, comment }: { by: string; to: string; comment?: string },
): PlannedCommand {
  const why = comment === undefined ? '' : `: ${comment}`;
  const holder = gate.handed && Object.hasOwn(gate.handed, by) ? gate.handed[by] : undefined;
  if (to === by && holder === undefined) return { outcome: 'refused', reason: `${by} already has their own vote at ${label}` };
  if (to === holder) return { outcome: 'duplicate', reason: `${by} has already delegated their vote at ${label} to ${to}` };
  const others = Object.entries(gate.handed ?? {}).filter(([approver]) => approver !== by);
  const second = others.find(([, other]) => other === to);
  if (second) return { outcome: 'refused', reason: `${to} already decides on ${label} in place of ${second[0]}` };
  return {
    step: label,
    about: to === by ? `${by} takes back their vote at ${label}${why}` : `${by} delegates their vote at ${label} to ${to}${why}`,
    apply: () => {
      gate.handed = Object.fromEntries(to === by ? others : [...others, [by, to]]);
      it.changed('gates');
    },
  };
}

function whyNot({ label, approvers, notBy, votes, others }: GatePolicy, by: string, to: string): NotApplied | undefined {
  if (!approvers) return { outcome: 'refused', reason: `${label} names no approvers, so there is no vote to delegate` };
  if (!approvers.includes(by)) {
    const meant = didYouMean(by, approvers, `approvers: ${approvers.join(', ')}`);
    return { outcome: 'refused', reason: `${by} has no vote at ${label} to delegate; ${meant}` };
  }
  for (const name of [by, to]) {
    if (notBy.includes(name)) return { outcome: 'refused', reason: `${name} may not decide on ${label}: it needs another person` };
  }
  if (to !== by && approvers.includes(to)) return { outcome: 'refused', reason: `${to} already decides on ${label}` };
  const vote = votes.find((other) => approverOf(other) === by || other.by === to);
  if (vote) return { outcome: 'refused', reason: `${vote.by ?? by} has already answered ${vote.choice} at ${label}` };
  return to === by ? undefined : whyElsewhere(others, to);
}

/** Nobody gets a place who has one at another gate of the question. */
function whyElsewhere(others: OtherGates, to: string): NotApplied | undefined {
  const filled = others.filled.find((one) => one.by === to);
  const named = others.kind === 'ballots' ? others.named.find(({ people }) => people.includes(to)) : undefined;
  if (!filled && !named) return undefined;
  const why = filled ? `has already answered at ${filled.gate}` : `has a place in the vote at ${named?.gate ?? ''}`;
  return { outcome: 'refused', reason: `${to} ${why}, and nobody fills two places: name somebody else` };
}
