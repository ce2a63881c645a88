import type { Findings } from '../../plan/contract';
import type { ControlOf, ControlStep } from '../../plan/control';
import { reviseCone } from '../../plan/order';
import type { VerdictRecord } from '../../plan/verdict';
import { closeGate } from './gates';
import type { Interpreter } from './interpreter';
import type { Run } from './run';
import { nextRound } from './state';

/**
 * Sends work back: the target step and everything between it and the step that found fault run again, each in its next
 * round, told of the findings. What they put out before is superseded: kept, marked, and read by nobody.
 */
export function sendBack(it: Interpreter, from: ControlStep, target: string, findings: Findings): void {
  const { run } = it;
  const cone = reviseCone(run.plan.block, target, from.id);
  for (const step of cone.length > 0 ? cone : [from]) {
    const record = run.record(step.id);
    if (record.gate) closeGate(run, step.id, 'superseded');
    run.journal.add({ kind: 'step', step: run.name(step.id), state: 'superseded', reason: `sent back by ${findings.review}` });
    run.state.records[step.id] = nextRound(record, findings, run.ctx.now());
  }
  it.changed('gates');
  it.scheduler.restarted();
}

/**
 * Which step a verdict sends back: the reviewer's `revise_target`, a step or an agent, where that is upstream of the review;
 * else what the pipeline says. Of several steps of one agent it is the last before the review.
 */
export function reviseTarget(run: Run, review: ControlOf<'review'>, verdict: VerdictRecord): string | undefined {
  const fallback = review.onRevise?.step;
  const named = verdict.reviseTarget;
  if (named === undefined || fallback === undefined) return fallback;
  const candidates = run.plan.block.steps.filter((step) => step.id === named || ('agent' in step && step.agent === named));
  const upstream = candidates.filter((step) => step.id !== review.id && reviseCone(run.plan.block, step.id, review.id).length > 0);
  return upstream.at(-1)?.id ?? fallback;
}
