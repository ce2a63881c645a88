import { isSettled } from '../../../plan/run/status';
import { settleChildBudget } from '../budget/settle-child';
import { pendingWork } from '../cancellation/recover-results';
import { closeGate } from '../gates/gates';
import type { FrameOwner, Interpreter } from '../interpreter';
import { childStateOf } from '../state/kind-state';
import { noteStreams } from '../streams/stream-room';
import { recountWaiting } from './branch-waits';
import { endTurn, type Frame, isWithin, type Place } from './place';
import { createScheduler } from './scheduler';

/** Lets a block run, from wherever state says that it is. */
export function openFrame(it: Interpreter, frame: Frame, owner: FrameOwner): void {
  const scheduler = createScheduler(it.run, frame, {
    slots: it.slots,
    startStep: it.startStep,
    takeUpStep: it.takeUpStep,
    changed(places) {
      recountWaiting(it.run.plan, it.frames.values(), places);
      noteStreams(it, places);
    },
    ...owner,
  });
  it.frames.set(frame, { scheduler, owner });
  scheduler.start();
}

/** The block has settled, and its container continues. */
export function retireFrame(it: Interpreter, frame: Frame): void {
  frame.closed = true;
  it.frames.delete(frame);
}

/**
 * Cancels what is still going on in a block, and in whatever is within: activities, waits, gates, child pipelines. Evidence
 * stays; what was in progress counts as skipped.
 */
export function cancelFrame(it: Interpreter, frame: Frame, reason: string): void {
  const container = frame.container?.path;
  if (container === undefined) return;
  for (const other of [...it.frames.keys()]) if (isAround(frame, other)) retireFrame(it, other);
  retireFrame(it, frame);
  cancelWithin(it, frame.iteration === undefined ? container : `${container}[${frame.iteration}]`, reason);
}

/** Cancels a place's round that is in progress, and whatever is within; its record is the caller's to replace. */
export function cancelPlace(it: Interpreter, place: Place, reason: string): void {
  const { run } = it;
  const child = childStateOf(run.record(place.path));
  endTurn(place);
  for (const other of [...it.frames.keys()]) if (standsIn(other, place)) retireFrame(it, other);
  run.interrupt(place.path, 'itself');
  if (child && !child.ended) run.ctx.cancelChild(child.workflowId);
  settleChildBudget(it, place.path);
  cancelWithin(it, place.path, reason);
  run.background(() => run.ctx.cancelActivities(place.path, 'itself'));
}

function standsIn(frame: Frame, { path }: Place): boolean {
  for (let outer = frame.container; outer; outer = outer.frame.container) if (outer.path === path) return true;
  return false;
}

/** The same for all that state knows of below a path. */
function cancelWithin(it: Interpreter, prefix: string, reason: string): void {
  const { run } = it;
  const work = pendingWork(run, (path) => isWithin(path, prefix));
  run.interrupt(prefix);
  let anyCancelled = false;
  for (const [path, record] of run.index.within(run.state.records, prefix)) {
    if (isSettled(record.state) || record.state === 'pending') continue;
    if (record.gate) closeGate(run, path, 'ended');
    const child = childStateOf(record);
    if (child && !child.ended) run.ctx.cancelChild(child.workflowId);
    else settleChildBudget(it, path);
    record.state = 'skipped';
    record.endedAtMs = run.ctx.now();
    run.index.settled(path, record);
    it.slots.give(path);
    run.journal.add({ kind: 'step', step: run.name(path), state: 'skipped', reason: `cancelled: ${reason}` });
    anyCancelled = true;
  }
  if (!anyCancelled) return;
  // Cancelled work stops in its own time; nobody waits for it.
  it.cancelledWork.note(work, () => run.ctx.cancelActivities(prefix));
  it.changed('gates');
}

function isAround(outer: Frame, inner: Frame): boolean {
  for (let frame = inner.container?.frame; frame; frame = frame.container?.frame) if (frame === outer) return true;
  return false;
}
