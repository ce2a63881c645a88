import { isAlwaysLast } from '../../../kinds/questions';
import { defined } from '../../../plan/defined';
import type { ControlBlock } from '../../../plan/steps/control';
import { field } from '../../../plan/text/json';
import { cancelAllWork } from '../cancellation/cancel-all';
import type { FrameOwner, Interpreter } from '../interpreter';
import type { Run } from '../run';
import type { RunEnding } from '../run-ending';
import { listFinally } from '../views/listing';
import { openFrame, retireFrame } from './frames';
import { makeFrame } from './place';

/**
 * The blocks of the run itself: its steps, and then, whatever happened, its `finally`.
 *
 * Invariants: 1. `finally` begins when the work is over: done, or cancelled; 2. the end of the run is decided before, and `finally` does
 * not change it, except by an operator's `abort`; 3. a person's refusal in `finally` ends the rest of it, except the step that is always
 * last.
 */
export function startBlocks(it: Interpreter): void {
  const { run } = it;
  const frame = makeFrame({ block: run.plan.block, kind: 'run' });
  run.beforeEnd = (ending) => leaveForFinally(it, ending);
  openFrame(it, frame, ownerOf(it));
}

/** Takes up the blocks in an execution that follows another: those of the work, or of `finally`. */
export function takeUpBlocks(it: Interpreter): void {
  const { run } = it;
  if (!run.state.closing) {
    startBlocks(it);
    return;
  }
  run.beforeEnd = (later) => noteLater(it, later);
  if (run.state.cutShort === 'done') openFinally(it, onlyLast(run));
  else if (run.state.cutShort) cutShort(it);
  else openFinally(it, run.plan.finally);
}

function ownerOf({ run }: Interpreter): FrameOwner {
  return {
    done: () => run.end({ kind: 'completed' }),
    stopped(place, { code, message, details }) {
      const reported = field(details, 'reported') === true || undefined;
      run.end({ kind: 'failed', code, message, step: run.name(place.path), ...defined({ reported }) });
    },
  };
}

/** The work is over. If the plan has a `finally` the run does not end yet. */
function leaveForFinally(it: Interpreter, ending: RunEnding): boolean {
  const { run } = it;
  if (!run.plan.finally || isAbort(ending)) return false;
  run.beforeEnd = (later) => noteLater(it, later);
  run.state.closing = ending;
  for (const frame of [...it.frames.keys()]) retireFrame(it, frame);
  run.interruptAll();
  run.spawn(async () => {
    // Not parked: an execution that closed meanwhile would leave to the next what it continues doing itself. It takes no longer than its
    // timeouts.
    if (ending.kind !== 'completed') await cancelAllWork(it, ending);
    openFinally(it, run.plan.finally);
  });
  return true;
}

function isAbort(ending: RunEnding): boolean {
  return ending.kind === 'failed' && ending.code === 'run.aborted';
}

/** A run that is cancelled while it cleans up cleans up, and has been cancelled. Only an abort ends it at once. */
function noteLater(it: Interpreter, later: RunEnding): boolean {
  const { state } = it.run;
  if (isAbort(later)) return false;
  if (later.kind === 'cancelled' && state.closing?.kind === 'completed') state.closing = later;
  if (later.kind === 'rejected' && !state.cutShort) {
    state.cutShort = true;
    it.run.journal.add({ kind: 'run', state: 'running', reason: `the rest of finally is skipped: ${later.reason}` });
    cutShort(it);
  }
  return true;
}

/** What a person has refused in `finally` must not happen: neither the steps after it nor those parallel to it. */
function cutShort(it: Interpreter): void {
  const { run } = it;
  for (const frame of [...it.frames.keys()]) retireFrame(it, frame);
  run.interruptAll();
  run.spawn(async () => {
    await cancelAllWork(it, { kind: 'rejected', reason: 'by a person in finally' });
    skipRestOfFinally(run);
    run.state.cutShort = 'done';
    openFinally(it, onlyLast(run));
  });
}

/** No step of `finally` is left pending in a run that has ended. */
function skipRestOfFinally(run: Run): void {
  for (const { path, step } of listFinally(run)) {
    const record = run.record(path);
    if (record.state !== 'pending' || isAlwaysLast(step)) continue;
    record.state = 'skipped';
    run.journal.add({ kind: 'step', step: run.name(path), state: 'skipped', reason: 'rejected by a person in finally' });
  }
}

function endAsDecided({ run }: Interpreter): void {
  run.beforeEnd = () => false;
  run.end(run.state.closing ?? { kind: 'completed' });
}

function onlyLast({ plan }: Run): ControlBlock | undefined {
  const steps = plan.finally?.steps.filter(isAlwaysLast) ?? [];
  return steps.length === 0 ? undefined : { order: 'sequence', steps };
}

function openFinally(it: Interpreter, block: ControlBlock | undefined): void {
  const done = (): void => endAsDecided(it);
  // A step that fails here is reported and counts as settled: nothing of this block stops it.
  if (!block) done();
  else openFrame(it, makeFrame({ block, kind: 'finally' }), { done, stopped: () => undefined });
}
