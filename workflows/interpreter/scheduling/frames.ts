import { isSettled } from '../../../plan/run/step-state';
import { orderOf } from '../../../plan/steps/order';
import { settleStepBudget } from '../budget/settle-step';
import { pendingWork } from '../cancellation/recover-results';
import { closeGate } from '../gates/gates';
import type { FrameOwner, Interpreter } from '../interpreter';
import { forgetCaller } from '../state/forget';
import { childStateOf } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';
import { settledWakeKey } from '../steps/pending-inputs';
import { noteStreams, resumeStreams } from '../streams/stream-room';
import { recountWaiting } from './branch-waits';
import { endTurn, type Frame, isWithinAny, type Place } from './place';
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
  resumeStreams(it, frame.places);
}

/** The block has settled, and its container continues. */
export function retireFrame(it: Interpreter, frame: Frame): void {
  frame.closed = true;
  it.frames.delete(frame);
}

/**
 * Cancels everything still running in a block and within it: activities, waits, gates, child pipelines. Evidence stays; work in progress
 * counts as skipped.
 */
export function cancelFrame(it: Interpreter, frame: Frame, reason: string): void {
  cancelFrames(it, [frame], reason);
}

/** Cancels several frames: the change is shown once per turn, and the ledger asked once. Other parts of the turn stay as they are. */
export function cancelFrames(it: Interpreter, frames: readonly Frame[], reason: string): void {
  const parts = new Map<string, string[]>();
  for (const frame of frames) {
    const container = frame.container?.path;
    if (container === undefined) continue;
    for (const other of [...it.frames.keys()]) if (isAround(frame, other)) retireFrame(it, other);
    retireFrame(it, frame);
    const prefix = frame.iteration === undefined ? container : `${container}[${frame.iteration}]`;
    if (frame.kind === 'parts') parts.set(prefix, [...(parts.get(prefix) ?? []), ...frame.places.map(({ path }) => path)]);
    else cancelWithin(it, prefix, reason);
  }
  for (const [turn, paths] of parts) cancelWithin(it, turn, reason, paths);
}

/** Cancels a place's round that is in progress, and whatever is within; its record is the caller's to replace. */
export function cancelPlace(it: Interpreter, place: Place, reason: string): void {
  const { run } = it;
  const child = childStateOf(run.record(place.path));
  cancelCalls(it, (path) => path === place.path, reason);
  endTurn(place);
  for (const other of [...it.frames.keys()]) if (standsIn(other, place)) retireFrame(it, other);
  run.interrupt(place.path, 'itself');
  if (child && !child.ended) run.ctx.cancelChild(child.workflowId, reason);
  settleStepBudget(it, place.path);
  cancelWithin(it, place.path, reason);
  run.background(() => run.ctx.cancelActivities(place.path, 'itself'));
}

function standsIn(frame: Frame, { path }: Place): boolean {
  for (let outer = frame.container; outer; outer = outer.frame.container) if (outer.path === path) return true;
  return false;
}

/** Cancels everything that state has below a path; with `parts`, only these parts. */
function cancelWithin(it: Interpreter, prefix: string, reason: string, parts?: readonly string[]): void {
  const { run } = it;
  const [meant, itself] = parts ? ([parts, 'itself'] as const) : [prefix];
  const isMeant = (path: string): boolean => isWithinAny(path, meant, itself);
  cancelCalls(it, isMeant, reason);
  const work = pendingWork(run, isMeant);
  run.interrupt(meant, itself);
  let anyCancelled = false;
  for (const [path, record] of run.index.within(run.state.records, prefix)) {
    if (!isMeant(path)) continue;
    if (isSettled(record.state) || record.state === 'pending') continue;
    if (record.asked?.gate) closeGate(run, path, 'ended');
    const child = childStateOf(record);
    if (child && !child.ended) run.ctx.cancelChild(child.workflowId, reason);
    else settleStepBudget(it, path);
    record.state = 'skipped';
    record.times = { ...record.times, endedAtMs: run.ctx.now() };
    run.index.settled(path, record);
    it.slots.give(path);
    run.journal.add({ kind: 'step', step: run.name(path), state: 'skipped', reason: `cancelled: ${reason}` });
    anyCancelled = true;
  }
  if (!anyCancelled) return;
  // Steps may wait for the free slots, and nothing else may wake them. Not before the caller has finished.
  run.background(() => Promise.resolve().then(() => it.pump()));
  // Cancelled work stops in its own time; nobody waits for it.
  it.cancelledWork.note(work, () => run.ctx.cancelActivities(meant, itself));
  it.changed('gates');
}

/** A called step has no purpose once its caller is cancelled. */
function cancelCalls(it: Interpreter, isCaller: (path: string) => boolean, reason: string): void {
  const { run } = it;
  for (const frame of [...it.frames.keys()]) {
    for (const at of orderOf(frame.block).onCall) {
      const place = frame.places[at];
      const record = place && run.state.records[place.path];
      const { calledBy } = record?.brief ?? {};
      if (!place || !record || calledBy === undefined || !isCaller(calledBy)) continue;
      forgetCaller(record);
      if (!isSettled(record.state)) callOff(it, place, record, reason);
      run.wake(settledWakeKey(place.path));
    }
  }
}

function callOff(it: Interpreter, place: Place, record: StepRecord, reason: string): void {
  const { run } = it;
  cancelPlace(it, place, reason);
  if (record.asked?.gate) closeGate(run, place.path, 'ended');
  record.state = 'skipped';
  record.times = { ...record.times, endedAtMs: run.ctx.now() };
  run.index.settled(place.path, record);
  run.journal.add({ kind: 'step', step: run.name(place.path), state: 'skipped', reason: `cancelled: ${reason}` });
  it.scheduler(place).settled(place);
}

function isAround(outer: Frame, inner: Frame): boolean {
  for (let frame = inner.container?.frame; frame; frame = frame.container?.frame) if (frame === outer) return true;
  return false;
}
