import { retryIn } from '../../plan/steps/action';
import { roundsWithoutProgress, type VerdictRecord } from '../../plan/steps/verdict';
import { unreachable } from '../../plan/unreachable';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { peopleInChain } from '../../workflows/interpreter/gates/approvers-above';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { noteFix } from '../../workflows/interpreter/patterns/review-feedback';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { verdictInState } from '../../workflows/interpreter/state/kind-state';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { actOn, firstDecision, retriesUsed } from '../../workflows/interpreter/steps/actions';
import { escalate } from '../../workflows/interpreter/steps/escalation';
import { reviseTarget } from '../../workflows/interpreter/steps/revisions';
import { settle } from '../../workflows/interpreter/steps/settle';
import type { StepResult } from '../../workflows/interpreter/steps/step-result';
import { disagreement } from './run-critic';

/**
 * The consequences of a verdict (docs/protocol.md, 4.6): `pass` continues; `revise` sends the target and the steps between back, as often
 * as the pipeline allows; `block`, used-up revisions, and problems that no revision helps follow `on_block`. A review without `on_revise`
 * only reports: its verdict is data for conditions.
 */
export async function afterReview(it: Interpreter, place: PlaceOf<'review'>, record: StepRecord, ctx: StepContext): Promise<StepResult> {
  const { step } = place;
  const verdict = ctx.once('verdict', () => verdictInState(record));
  if (!verdict) return settle(it, place, 'done');
  // A person decides between the two, whatever either says.
  const split = disagreement(place, verdict, record);
  if (split !== undefined) return escalate(it, place, ctx, peopleInChain(it), { kind: 'block', verdict, reason: split });
  if (verdict.unfixable && (step.onUnfixable || step.onRevise))
    return actOn(it, place, ctx, step.onUnfixable ?? step.onBlock ?? [], {
      kind: 'block',
      verdict,
      reason: `${step.agent} says that no revision of ${step.of} would help${summaryOf(verdict)}`,
    });
  switch (verdict.verdict) {
    case 'pass':
      return settle(it, place, 'done');
    case 'block':
      return decide(it, place, ctx, verdict, `${step.agent} blocked ${step.of}${summaryOf(verdict)}`);
    case 'revise': {
      if (!step.onRevise) return settle(it, place, 'done');
      const retry = retryIn(step.onRevise);
      const used = retriesUsed(it, place, 'revise');
      const stalled = stalledRounds(step, record);
      if (stalled !== undefined && (retry === undefined || used < retry.max)) {
        const reason = `${step.agent} has not found fewer issues for ${stalled} rounds${summaryOf(verdict)}`;
        return actOn(it, place, ctx, step.onStall ?? step.onBlock ?? [], { kind: 'block', verdict, reason });
      }
      const target = reviseTarget(place, verdict, retry?.step ?? step.of);
      const asks = `${step.agent} still asks for a revision of ${target} after ${used}${summaryOf(verdict)}`;
      ctx.once('fix', () => {
        if (retry && used < retry.max) noteFix(it.run, place, target);
      });
      const result = await firstDecision(it, place, ctx, step.onRevise, { kind: 'revise', verdict, reason: asks });
      return result === 'next' ? decide(it, place, ctx, verdict, asks) : result;
    }
    default:
      return unreachable(verdict.verdict);
  }
}

function decide(it: Interpreter, place: PlaceOf<'review'>, ctx: StepContext, verdict: VerdictRecord, reason: string): Promise<StepResult> {
  return actOn(it, place, ctx, place.step.onBlock ?? [], { kind: 'block', verdict, reason });
}

function summaryOf(verdict: VerdictRecord): string {
  return verdict.summary === undefined ? '' : `: ${verdict.summary}`;
}

/** Rounds without progress, if the step stops for that many. */
function stalledRounds({ stallRounds }: PlaceOf<'review'>['step'], record: StepRecord): number | undefined {
  if (stallRounds === undefined) return undefined;
  const verdicts = [...(record.superseded ?? []).map(({ verdict }) => verdict), verdictInState(record)];
  const rounds = roundsWithoutProgress(verdicts.filter((verdict) => verdict !== undefined));
  return rounds >= stallRounds ? rounds : undefined;
}
