import { judges } from '../../../kinds/questions';
import { defined } from '../../../plan/defined';
import type { ArtifactRef } from '../../../plan/run/artifact';
import { isUnderWay } from '../../../plan/run/step-state';
import { lastUpstream, orderOf, reviseCone } from '../../../plan/steps/order';
import type { Findings } from '../../../plan/steps/step-activity';
import type { VerdictRecord } from '../../../plan/steps/verdict';
import { supersedeInnerSteps } from '../containers/inner-steps';
import { closeGate } from '../gates/gates';
import type { Interpreter } from '../interpreter';
import { cancelPlace } from '../scheduling/frames';
import type { Place } from '../scheduling/place';
import { isUnfinished } from '../state/kind-state';
import { nextRound, type StepRecord } from '../state/step-record';
import { readerOf } from '../streams/stream-room';
import { openTrySentBack } from './open-try';
import { artifactsOf } from './step-input';
import type { StepResult } from './step-result';

/**
 * Sends work back: the target step and everything between it and the step that found fault run again, each in its next round, with the
 * findings. Their earlier outputs are superseded: kept, marked, and read by nobody. Only a step that did not finish, and is sent back for
 * that alone, continues in a further try.
 */
export function sendForRevision(it: Interpreter, from: Place, target: string, findings: Findings): StepResult {
  if (target === from.step.id && isUnfinished(it.run.record(from.path))) {
    openTrySentBack(it, from, findings);
    return 'again';
  }
  const { block, places } = from.frame;
  const { position } = orderOf(block);
  const cone = reviseCone(block, target, from.step.id);
  const again = withLoops(it, cone.length > 0 ? cone.flatMap(({ id }) => places[position(id)] ?? []) : [from]);
  restart(it, from, again, `sent back by ${findings.review}`, (place) => beginNextRound(it, place, findings));
  return 'settled';
}

/** A loop that takes up what a producer emits is at work before that has ended: another round of the producer is another stream. */
function withLoops({ run }: Interpreter, places: Place[]): Place[] {
  const loops = places.flatMap((place) => (place.step.emits ? (readerOf(place) ?? []) : []));
  return [...places, ...loops.filter((loop) => !places.includes(loop) && isUnderWay(run.record(loop.path).state))];
}

/** Places of one block run again, each beginning as `begin` says. */
export function restart(it: Interpreter, from: Place, again: readonly Place[], reason: string, begin: (place: Place) => void): void {
  const { run } = it;
  const judged = new Map(again.map((place) => [place.path, judgedBy(it, place)]));
  const underWay = again.filter((place) => place.path !== from.path && isUnderWay(run.record(place.path).state));
  for (const place of underWay) cancelPlace(it, place, reason);
  for (const place of again) {
    begin(place);
    const before = judged.get(place.path);
    const next = run.record(place.path);
    if (before) next.brief = { ...next.brief, judgedBefore: before };
  }
  it.changed('gates');
  const scheduler = it.scheduler(from);
  scheduler.restarted(again);
  // A step that an action has called begins again for it.
  for (const place of again) if (place.step.onCall && run.record(place.path).brief?.calledBy !== undefined) scheduler.call(place);
  it.pump();
}

/** @param within inner steps of a container begin again as well, unless they are kept */
export function beginNextRound(it: Interpreter, place: Place, findings: Findings, within?: 'keep what is within'): StepRecord {
  const { run } = it;
  const record = run.record(place.path);
  if (record.asked?.gate) closeGate(run, place.path, 'superseded');
  run.journal.add({ kind: 'step', step: run.name(place.path), state: 'superseded', reason: `sent back by ${findings.review}` });
  const base = within ? record.within?.base : supersedeInnerSteps(it, place);
  const next = nextRound(record, findings, run.ctx.now());
  if (base !== undefined) next.within = { base };
  const { calledBy, given } = record.brief ?? {};
  // Its caller still waits for it.
  if (calledBy !== undefined) next.brief = { ...next.brief, calledBy, ...defined({ given }) };
  run.putRecord(place.path, next);
  it.slots.give(place.path);
  return next;
}

/** What a review has judged, if the place is one and has judged. */
function judgedBy({ run }: Interpreter, { step, path, frame }: Place): ArtifactRef | undefined {
  if (!judges(step) || !run.state.records[path]?.output?.artifact) return undefined;
  return artifactsOf(run, frame, [step.of])[0]?.artifact;
}

/**
 * The step that a verdict sends back: the reviewer's `revise_target`, a step or an agent, if that is upstream of the review; else
 * `fallback`, the pipeline's choice. Of several steps of one agent it is the last before the review.
 */
export function reviseTarget({ step: review, frame }: Place, { reviseTarget: named }: VerdictRecord, fallback: string): string {
  if (named === undefined) return fallback;
  return lastUpstream(frame.block, review.id, (step) => step.id === named || ('agent' in step && step.agent === named))?.id ?? fallback;
}
