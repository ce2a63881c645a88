import type { Decision } from '../../../plan/people/gate';
import type { SignalPayload } from '../../../plan/run/signal';
import { planChildDecision } from '../containers/child-runs';
import type { MessageSource, PlannedCommand } from '../inbound/planned-command';
import type { Interpreter } from '../interpreter';
import { approverFor, approverOf } from './approver';
import { type FoundGate, gateFor, whyClosed } from './find-gate';
import { policyAt, whyNoAnswer, whyNoComment, whyNoVote } from './gate-policy';
import type { OpenGate } from './gate-view';
import { decisionOf, gateWakeKey, provenBy } from './gates';
import { proveFirst } from './proof';
import { planResponse } from './responses';

type Answer = 'approve' | 'reject' | 'respond';

/**
 * What a decision would do: which gate it is for, whether it may decide there, and with which choice. `sealedFor` is the run that a proof
 * in it names, if a parent has passed it on.
 */
export function planDecision(
  it: Interpreter,
  name: Answer,
  payload: SignalPayload,
  via: MessageSource,
  sealedFor?: string,
): PlannedCommand {
  const found = gateFor(it.run, payload);
  if ('outcome' in found) return found;
  return proveFirst(it, found, name, payload, sealedFor, () => rule(it, found, name, payload, via, sealedFor));
}

/** One policy for all ways in: the gate's own. The child itself checks what its gate's view does not contain. */
function rule(
  it: Interpreter,
  found: FoundGate,
  name: Answer,
  payload: SignalPayload,
  via: MessageSource,
  sealedFor: string | undefined,
): PlannedCommand {
  const { run } = it;
  const policy = policyAt(run, found);
  const { label, choices } = policy;
  const problem = whyClosed(run, found) ?? whyNoAnswer(policy, payload);
  if (problem) return problem;
  const slot = approverFor(policy, payload.by);
  if ('outcome' in slot) return slot;
  if (policy.kind === 'input') {
    if (name !== 'respond') return { outcome: 'refused', reason: `${label} needs an answer: send respond` };
    return 'view' in found ? planChildDecision(it, found, name, payload, sealedFor) : planResponse(it, found, payload, via, slot);
  }
  const choice = choiceOf(name, payload);
  if (choice === undefined) return { outcome: 'unreadable', reason: 'respond needs a response' };
  if (!choices.includes(choice)) return { outcome: 'refused', reason: `${label} takes ${choices.join(', ')}, not "${choice}"` };
  const silent = whyNoComment(policy, choice, payload.comment) ?? whyNoVote(policy, choice, payload);
  if (silent) return silent;
  return 'view' in found
    ? planChildDecision(it, found, name, payload, sealedFor)
    : planChoice(it, found, decisionOf(run, found.gate, choice, payload, via, provenBy(payload, slot)));
}

function planChoice(it: Interpreter, found: OpenGate, decision: Decision): PlannedCommand {
  const { run } = it;
  const { path, gate } = found;
  if (decision.choice !== 'reject' && gate.quorum !== undefined) return planVote(it, found, decision, gate.quorum);
  return {
    step: run.name(path),
    apply: () => {
      gate.decision = decision;
      run.wake(gateWakeKey(path));
    },
  };
}

function choiceOf(name: Answer, payload: SignalPayload): string | undefined {
  if (name !== 'respond') return name;
  return typeof payload.response === 'string' ? payload.response : undefined;
}

/**
 * One vote of several: the last that is needed decides. A refusal decides by itself. A person who answers differently than before has
 * changed their mind, and is counted once.
 */
function planVote(it: Interpreter, { path, gate }: OpenGate, decision: Decision, quorum: number): PlannedCommand {
  const { run } = it;
  const label = run.name(path);
  const { by, choice } = decision;
  if (by === undefined) return { outcome: 'refused', reason: `${label} needs ${quorum} people: give your name` };
  const sameVoice = (other: Decision): boolean => other.by === by || approverOf(other) === approverOf(decision);
  const before = gate.approvals?.find((other) => sameVoice(other) && other.choice === choice);
  if (before) return { outcome: 'duplicate', reason: `${describe(before)} has already answered ${choice} at ${label}` };
  return {
    step: label,
    apply: () => {
      const votes = [...(gate.approvals ?? []).filter((other) => !sameVoice(other)), decision];
      gate.approvals = votes;
      if (votes.filter((vote) => vote.choice === choice).length < quorum) {
        run.journal.add({ kind: 'decision', step: label, decision });
        it.changed('gates');
        return;
      }
      gate.decision = decision;
      run.wake(gateWakeKey(path));
    },
  };
}

function describe({ by, inPlaceOf }: Decision): string {
  return `${by ?? 'somebody'}${inPlaceOf === undefined ? '' : ` in place of ${inPlaceOf}`}`;
}
