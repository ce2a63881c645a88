import { reviseCone } from '../../plan/order';
import type { Findings } from '../../plan/step-work';
import type { VerdictRecord } from '../../plan/verdict';
import { closeGate } from './gates';
import type { Interpreter } from './interpreter';
import type { Place, PlaceOf } from './place';
import { nextRound } from './state';
import { supersedeWithin } from './within';

/**
 * Sends work back: the target step and everything between it and the step that found fault run again, each in its next
 * round, told of the findings. What they put out before is superseded: kept, marked, and read by nobody.
 */
export function sendBack(it: Interpreter, from: Place, target: string, findings: Findings): void {
  const { run } = it;
  const { block, places } = from.frame;
  const cone = new Set(reviseCone(block, target, from.step.id).map((step) => step.id));
  const again = cone.size > 0 ? places.filter((place) => cone.has(place.step.id)) : [from];
  for (const place of again) {
    const record = run.record(place.path);
    if (record.gate) closeGate(run, place.path, 'superseded');
    run.journal.add({ kind: 'step', step: run.name(place.path), state: 'superseded', reason: `sent back by ${findings.review}` });
    const base = supersedeWithin(it, place);
    const next = nextRound(record, findings, run.ctx.now());
    if (base !== undefined) next.base = base;
    run.state.records[place.path] = next;
    it.slots.give(place.path);
  }
  it.changed('gates');
  it.scheduler(from).restarted();
  it.pump();
}

/**
 * Which step a verdict sends back: the reviewer's `revise_target`, a step or an agent, where that is upstream of the review;
 * else what the pipeline says. Of several steps of one agent it is the last before the review.
 */
export function reviseTarget({ step: review, frame }: PlaceOf<'review'>, verdict: VerdictRecord): string | undefined {
  const fallback = review.onRevise?.step;
  const named = verdict.reviseTarget;
  if (named === undefined || fallback === undefined) return fallback;
  const candidates = frame.block.steps.filter((step) => step.id === named || ('agent' in step && step.agent === named));
  const upstream = candidates.filter((step) => step.id !== review.id && reviseCone(frame.block, step.id, review.id).length > 0);
  return upstream.at(-1)?.id ?? fallback;
}
