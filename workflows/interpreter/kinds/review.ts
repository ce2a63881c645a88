import type { ControlOf } from '../../../plan/control';
import { unreachable } from '../../../plan/unreachable';
import type { VerdictRecord } from '../../../plan/verdict';
import { actOn } from '../actions';
import type { Interpreter } from '../interpreter';
import { reviseTarget, sendBack } from '../revisions';
import { type StepResult, settle } from '../settle';
import type { StepRecord } from '../state';

/**
 * What follows from a verdict (protocol.md point 8): `pass` goes on; `revise` sends the target and what lies between back, as
 * often as the pipeline allows; `block`, and revisions used up, go as `on_block` says. A review without `on_revise` only
 * reports: its verdict is data for conditions.
 */
export async function performReview(it: Interpreter, step: ControlOf<'review'>, record: StepRecord): Promise<StepResult> {
  const { verdict } = record;
  if (!verdict) return settle(it, step, 'done');
  const name = it.run.name(step.id);
  switch (verdict.verdict) {
    case 'pass':
      return settle(it, step, 'done');
    case 'block':
      return decide(it, step, verdict, `${step.agent} blocked ${step.of}${summaryOf(verdict)}`);
    case 'revise': {
      const target = reviseTarget(it.run, step, verdict);
      if (target === undefined || !step.onRevise) return settle(it, step, 'done');
      const counter = `${step.id}:revise`;
      const used = it.run.state.revisions[counter] ?? 0;
      if (used >= step.onRevise.max) {
        return decide(it, step, verdict, `${step.agent} still asks for a revision of ${target} after ${used}${summaryOf(verdict)}`);
      }
      it.run.state.revisions[counter] = used + 1;
      sendBack(it, step, target, { review: name, ...(record.artifact ? { report: record.artifact } : {}) });
      return 'settled';
    }
    default:
      return unreachable(verdict.verdict);
  }
}

function decide(it: Interpreter, step: ControlOf<'review'>, verdict: VerdictRecord, reason: string): Promise<StepResult> {
  return actOn(it, step, step.onBlock ?? [], { kind: 'block', verdict, reason });
}

function summaryOf(verdict: VerdictRecord): string {
  return verdict.summary === undefined ? '' : `: ${verdict.summary}`;
}
