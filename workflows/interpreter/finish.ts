import { actOn } from './actions';
import { decisionAt } from './gates/gates';
import type { Interpreter } from './interpreter';
import type { Place } from './place';
import { type StepResult, settle } from './settle';

/** The step's work is done: where it says so a person is asked, and then it has settled. */
export async function finish(it: Interpreter, place: Place): Promise<StepResult> {
  const { approval } = place.step;
  if (!approval) return settle(it, place, 'done');
  const { asked, gate, escalated, decision: earlier } = it.run.record(place.path);
  // An earlier execution took a rejection further up and is waiting there.
  const rejection = gate?.kind === 'escalation' || escalated ? earlier : undefined;
  const decision =
    rejection ??
    (await decisionAt(it, place, {
      kind: 'approval',
      show: [],
      ...(asked ? { asked } : {}),
    }));
  if (decision.choice === 'approve') return settle(it, place, 'done');
  return actOn(it, place, approval.onReject ?? [], { kind: 'rejected', decision });
}
