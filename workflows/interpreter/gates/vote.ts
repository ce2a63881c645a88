import type { Decision } from '../../../plan/people/gate';
import type { PlannedCommand } from '../inbound/planned-command';
import type { Interpreter } from '../interpreter';
import { approverOf } from './approver';
import type { OpenGate } from './gate-view';
import { gateWakeKey } from './gates';

/**
 * One vote of several: the last that is needed decides. A refusal decides by itself. A person who answers differently than before has
 * changed their mind, and is counted once.
 */
export function planVote(it: Interpreter, { path, gate }: OpenGate, decision: Decision, quorum: number): PlannedCommand {
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
