import { retryIn } from '../../plan/steps/action';
import type { VerdictRecord } from '../../plan/steps/verdict';
import { unreachable } from '../../plan/unreachable';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { peopleInChain } from '../../workflows/interpreter/gates/approvers-above';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { kindStateOf, verdictInState } from '../../workflows/interpreter/state/kind-state';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { actOn, firstDecision, retriesUsed } from '../../workflows/interpreter/steps/actions';
import { escalate } from '../../workflows/interpreter/steps/escalation';
import { reviseTarget } from '../../workflows/interpreter/steps/revisions';
import { type StepResult, settle } from '../../workflows/interpreter/steps/settle';
import { disagreement } from './run-critic';

/**
 * What follows from a verdict (protocol.md point 8): `pass` continues; `revise` sends the target and what lies between back, as
 * often as the pipeline allows; `block`, and revisions used up, go as `on_block` says. A review without `on_revise` only
 * reports: its verdict is data for conditions.
 */
export async function afterReview(it: Interpreter, place: PlaceOf<'review'>, record: StepRecord, ctx: StepContext): Promise<StepResult> {
  const { step } = place;
  const verdict = ctx.once('verdict', () => verdictInState(record));
  if (!verdict) return settle(it, place, 'done');
  // A person decides between the two, whatever either says.
  const split = disagreement(place, verdict, record);
  if (split !== undefined) return escalate(it, place, ctx, peopleInChain(it), { kind: 'block', verdict, reason: split });
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
        return decide(it, place, ctx, verdict, `${step.agent} has not found fewer issues for ${stalled} rounds${summaryOf(verdict)}`);
      }
      const target = reviseTarget(place, verdict, retry?.step ?? step.of);
      const asks = `${step.agent} still asks for a revision of ${target} after ${used}${summaryOf(verdict)}`;
      const result = await firstDecision(it, place, ctx, step.onRevise, { kind: 'revise', verdict, reason: asks });
      return result === 'next' ? decide(it, place, ctx, verdict, asks) : result;
    }
    default:
      return unreachable(verdict.verdict);
  }
}

/** Whether nothing follows from what the reviewer says, and a second one says the same. */
export function verdictPasses(record: StepRecord): boolean {
  const { verdict, critic } = kindStateOf(record, 'review') ?? {};
  return !verdict || (verdict.verdict === 'pass' && (!critic || critic.verdict.verdict === 'pass'));
}

function decide(it: Interpreter, place: PlaceOf<'review'>, ctx: StepContext, verdict: VerdictRecord, reason: string): Promise<StepResult> {
  return actOn(it, place, ctx, place.step.onBlock ?? [], { kind: 'block', verdict, reason });
}

function summaryOf(verdict: VerdictRecord): string {
  return verdict.summary === undefined ? '' : `: ${verdict.summary}`;
}

/** Rounds without progress, where the step stops for that many. */
function stalledRounds({ stallRounds }: PlaceOf<'review'>['step'], record: StepRecord): number | undefined {
  const rounds = stallRounds === undefined ? 0 : roundsWithoutProgress(record);
  return stallRounds !== undefined && rounds >= stallRounds ? rounds : undefined;
}

/** For how many rounds on end the number of findings has not gone down. */
function roundsWithoutProgress(record: StepRecord): number {
  const counts = [...(record.superseded ?? []), { verdict: verdictInState(record) }].flatMap(({ verdict }) =>
    verdict ? [findingsIn(verdict)] : [],
  );
  let rounds = 0;
  for (let i = counts.length - 1; i > 0; i--) {
    if ((counts[i] ?? 0) < (counts[i - 1] ?? 0)) break;
    rounds += 1;
  }
  return rounds;
}

function findingsIn({ findings }: VerdictRecord): number {
  return Object.values(findings).reduce((sum, count) => sum + count, 0);
}
