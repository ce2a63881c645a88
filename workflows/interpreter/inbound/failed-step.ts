import { defined, ifDefined } from '../../../plan/defined';
import { orderOf, stepsBehind } from '../../../plan/steps/order';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { clearTolerated, reopenRound } from '../state/forget';
import { freshRecord, type OperatorAnswer, type StepRecord } from '../state/step-record';

/**
 * A failed step in a continuing run that an operator takes up after all: because its `on_error` let the others continue, or because
 * parallel branches do.
 *
 * Invariants: 1. it is taken up only while its block is in progress and its failure has decided nothing; 2. the steps that were skipped
 * because of it run with it, each after its dependencies; what has run already stays unchanged.
 */
export interface FailedStep {
  kind: 'failed';
  place: Place;
  record: StepRecord;
  name: string;
}

/** Failed steps that can be taken up. */
export function failedSteps(it: Interpreter): FailedStep[] {
  const found: FailedStep[] = [];
  for (const frame of it.frames.keys()) {
    if (frame.closed) continue;
    for (const place of frame.places) {
      const record = it.run.state.records[place.path];
      if (record?.state !== 'failed') continue;
      // In a block of another kind it is about to end the block.
      const goesOn = record.error?.tolerated || frame.kind === 'branches' || frame.kind === 'finally';
      if (goesOn) found.push({ kind: 'failed', place, record, name: it.run.name(place.path) });
    }
  }
  return found;
}

/** Counts as held and answered, so that it takes the same path as every held step. */
export function retryFailed(it: Interpreter, { place, record }: FailedStep): void {
  reopenRound(record);
  record.state = 'held';
  it.run.putRecord(place.path, record);
  record.tries = { ...record.tries, held: { reason: '', atMs: it.run.ctx.now(), answer: { kind: 'retry' } } };
  const behindIt = passedOver(it, place);
  for (const next of behindIt) {
    const { round, try: again, within } = it.run.record(next.path);
    const { base } = within ?? {};
    it.run.putRecord(next.path, {
      ...freshRecord(round),
      try: again,
      ...defined({ within: ifDefined(base, (first) => ({ base: first })) }),
    });
    it.run.journal.add({ kind: 'step', step: it.run.name(next.path), state: 'pending', reason: `${place.step.id} will be retried` });
  }
  it.scheduler(place).restarted([place, ...behindIt]);
  it.takeUpStep(place);
  it.changed('gates');
}

/** It no longer counts as failed; steps that were skipped because of it stay skipped. */
export function skipFailed(it: Interpreter, { place, record, name }: FailedStep, answer: Extract<OperatorAnswer, { kind: 'skip' }>): void {
  record.state = 'skipped';
  clearTolerated(record);
  it.run.journal.add({ kind: 'step', step: name, state: 'skipped', reason: answer.reason ?? `skipped by ${answer.by ?? 'an operator'}` });
  it.changed('gates');
  // In branches it may be the last that was needed.
  it.frames.get(place.frame)?.owner.settled?.(place);
}

/** Steps after it that never began, along paths on which none did: those have not begun because of it, or are decided again. */
function passedOver({ run }: Interpreter, { frame, step }: Place): Place[] {
  const { position } = orderOf(frame.block);
  const neverBegan = (id: string): boolean => {
    const record = run.state.records[frame.places[position(id)]?.path ?? ''];
    return record?.state === 'skipped' && record.times?.startedAtMs === undefined;
  };
  const positions = [...stepsBehind(frame.block, [step.id], neverBegan)].map(position).sort((one, other) => one - other);
  return positions.flatMap((at) => frame.places[at] ?? []);
}
