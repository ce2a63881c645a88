import { defined } from '../../../plan/defined';
import type { Decision, GateView } from '../../../plan/people/gate';
import type { StepRecord } from '../state/step-record';
import { ESCALATED, type GateVote, type PassedGate } from './gate-record';

/**
 * Whether an answer holds for the steps after the gate. Approving an action holds for that action alone, and is used up by it; more budget
 * approves nothing.
 */
export function coversLaterSteps({ kind, category, holdsHere }: Pick<GateView, 'kind' | 'category'> & { holdsHere?: true }): boolean {
  return kind !== 'budget' && category === undefined && !holdsHere;
}

/** Keeps who has answered the closing gate, for a rerun that relies on the answer. */
export function notePassed(record: StepRecord, decision: Decision): void {
  const { gate, passed = [] } = record.asked ?? {};
  if (!gate || !coversLaterSteps(gate) || (decision.via === 'time-out' && decision.choice === ESCALATED)) return;
  const others = (gate.approvals ?? []).filter((vote) => vote.choice === decision.choice && vote.by !== decision.by);
  const voices = decision.via === 'time-out' ? [] : [...others, decision].map(voiceOf);
  record.asked = { ...record.asked, passed: [...passed, { kind: gate.kind, choice: decision.choice, voices }] };
}

/** The answers on which a settled step relies. */
export function passedGates({ asked: { passed, decision } = {} }: StepRecord, isGate: boolean): readonly PassedGate[] {
  if (passed) return passed;
  return decision && isGate ? [{ kind: 'approval', choice: decision.choice, voices: [voiceOf(decision)] }] : [];
}

function voiceOf({ by, inPlaceOf, at, identity }: Decision): GateVote {
  return { at, identity, ...defined({ by, inPlaceOf }) };
}
