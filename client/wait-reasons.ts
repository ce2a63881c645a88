import { defined } from '../plan/defined';
import type { GateView } from '../plan/people/gate';
import { headedQuestion } from '../plan/people/headed-question';
import type { RunView, StepView } from '../plan/run/status';
import { shortened } from '../plan/text/shortened';
import type { PendingActivity } from './pending-activities';
import { skippedReasons } from './skipped-steps';
import { readable, sameStep, stepReasons } from './step-reasons';
import { firstLine, QUOTED_LENGTH, type WaitReason } from './wait-reason';

/** Pure: from the run's own view and the server's knowledge. Blocking reasons come first. */
export function reasonsOf(view: RunView, underWay: readonly PendingActivity[]): WaitReason[] {
  if (isRunEnded(view)) return [endedReason(view), ...skippedReasons(view)];
  const reasons: WaitReason[] = [];
  const { paused, pausedForSwarm } = view;
  if (paused || view.state === 'paused') {
    const why = paused?.reason === undefined ? '' : `: ${paused.reason}`;
    reasons.push({
      kind: 'paused',
      text: `paused by ${paused?.by ?? 'an operator'}${why}`,
      who: 'an operator: unpause',
      ...defined({ since: paused?.since }),
    });
  }
  if (pausedForSwarm) {
    const { step, since } = pausedForSwarm;
    reasons.push({ kind: 'waits', step, text: 'the swarm to end: no other step starts until then', since });
  }
  for (const gate of view.gates) reasons.push(gateReason(gate, view.steps));
  reasons.push(...heldReasons(view));
  for (const step of view.steps) reasons.push(...stepReasons(step, view, underWay));
  for (const { channel, message, since, error } of view.undelivered ?? []) {
    const what = error ? `was dropped: ${error.message}` : 'is not delivered yet';
    reasons.push({
      kind: 'undelivered',
      text: `a message to ${channel} ${what}: ${firstLine(message)}`,
      since,
      who: `the operator of ${channel}`,
    });
  }
  if (reasons.length === 0) reasons.push({ kind: 'starting', text: 'the run is between steps', since: view.startedAt });
  const items = new Map(view.steps.map((step) => [readable(step), step.item]));
  return [...reasons, ...raisedReasons(view), ...skippedReasons(view)].map((reason) => ({
    ...reason,
    ...defined({ item: reason.item ?? (reason.step === undefined ? undefined : items.get(reason.step)) }),
  }));
}

/** Reasons that block nothing. */
function raisedReasons({ raised = [] }: RunView): WaitReason[] {
  return raised.map(({ step, agent, to, reason, at }) => ({
    kind: 'raised',
    step,
    text: `${agent} escalated to ${to}: ${firstLine(reason)}`,
    since: at,
  }));
}

export function isRunEnded({ state }: Pick<RunView, 'state'>): boolean {
  return state === 'completed' || state === 'rejected' || state === 'failed' || state === 'cancelled';
}

export function endedReason(view: Pick<RunView, 'state' | 'error' | 'reason' | 'endedAt'>): WaitReason {
  const error = view.error && `${view.error.step === undefined ? '' : `${view.error.step}: `}${view.error.code}: ${view.error.message}`;
  const why = [error, view.reason].filter((text) => text !== undefined).join('; ');
  return {
    kind: 'ended',
    text: `ended: ${view.state}${why === '' ? '' : `: ${why}`}`,
    ...defined({ since: view.endedAt }),
  };
}

function gateReason(gate: GateView, steps: readonly StepView[]): WaitReason {
  const { step, kind, question, approvers, quorum, approvedBy, openedAt, deadline, delegates, identity, note, said, item } = gate;
  const at = steps.find((one) => sameStep(one, step));
  const votes = quorum === undefined ? '' : ` (${approvedBy?.length ?? 0} of ${quorum} have approved)`;
  const proven = identity === 'proven' ? ', by a way that proves their identity' : '';
  return {
    kind: kind === 'budget' ? 'budget' : 'gate',
    step,
    text: `${kind === 'input' ? 'an answer' : kind === 'budget' ? 'more budget' : 'a decision'}: ${askedIn(question)}`,
    since: openedAt,
    who: `${peopleOf(approvers, delegates)}${votes}${proven}`,
    ...defined({ item, note, said }),
    gate,
    ...defined({ until: deadline, remindAt: at?.remindAt }),
  };
}

function peopleOf(approvers: GateView['approvers'], delegates: GateView['delegates']): string {
  if (!approvers || approvers.length === 0) return 'anyone';
  return approvers
    .map((name) => {
      const others = delegates?.[name] ?? [];
      return others.length === 0 ? name : `${name} (or ${others.join(', ')})`;
    })
    .join(' or ');
}

function heldReasons({ held, steps }: RunView): WaitReason[] {
  const own = steps
    .filter(({ state }) => state === 'held')
    .map((step) => ({ step: readable(step), reason: step.waitingFor ?? 'an operator' }));
  return (held ?? own).map(({ step, reason, ...rest }) => ({
    kind: 'held',
    step,
    text: `held: ${firstLine(reason)}`,
    who: 'an operator: retry, skip or abort',
    ...('since' in rest && typeof rest.since === 'string' ? { since: rest.since } : {}),
  }));
}

/** A first line that ends with a colon only says who asks, and a heading only what about: the question comes after it. */
function askedIn(question: string): string {
  const first = headedQuestion(question) ?? firstLine(question);
  return shortened(first.endsWith(':') ? question.trim().replace(/\s+/g, ' ') : first, QUOTED_LENGTH);
}
