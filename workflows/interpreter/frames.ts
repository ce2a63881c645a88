import { isSettled } from '../../plan/status';
import { closeGate } from './gates';
import type { FrameOwner, Interpreter } from './interpreter';
import { type Frame, isWithin } from './place';
import { createScheduler } from './scheduler';

/** Lets a block run, from wherever state says that it is. */
export function openFrame(it: Interpreter, frame: Frame, owner: FrameOwner): void {
  const scheduler = createScheduler(it.run, frame, {
    slots: it.slots,
    startStep: it.startStep,
    ...owner,
  });
  it.frames.set(frame, { scheduler, owner });
  scheduler.start();
}

/** The block has settled, and its container goes on. */
export function retireFrame(it: Interpreter, frame: Frame): void {
  frame.closed = true;
  it.frames.delete(frame);
}

/**
 * Calls off what is still going on in a block, and in whatever is within: activities, waits, gates, child pipelines. Evidence
 * stays; what was under way counts as skipped.
 */
export function callOffFrame(it: Interpreter, frame: Frame, reason: string): void {
  const container = frame.container?.path;
  if (container === undefined) return;
  for (const other of [...it.frames.keys()]) if (isAround(frame, other)) retireFrame(it, other);
  retireFrame(it, frame);
  callOffWithin(it, frame.iteration === undefined ? container : `${container}[${frame.iteration}]`, reason);
}

/** The same for all that state knows of below a path. */
function callOffWithin(it: Interpreter, prefix: string, reason: string): void {
  const { run } = it;
  run.interrupt(prefix);
  let calledOff = false;
  for (const [path, record] of Object.entries(run.state.records)) {
    if (!isWithin(path, prefix) || isSettled(record.state) || record.state === 'pending') continue;
    if (record.gate) closeGate(run, path, 'ended');
    if (record.child && !record.child.ended) run.ctx.cancelChild(record.child.workflowId);
    record.state = 'skipped';
    record.endedAtMs = run.ctx.now();
    it.slots.give(path);
    run.journal.add({ kind: 'step', step: run.name(path), state: 'skipped', reason: `called off: ${reason}` });
    calledOff = true;
  }
  if (!calledOff) return;
  // What was called off lets go in its own time; nobody waits for it.
  run.background(() => run.ctx.callOff(prefix));
  it.changed('gates');
}

function isAround(outer: Frame, inner: Frame): boolean {
  for (let frame = inner.container?.frame; frame; frame = frame.container?.frame) if (frame === outer) return true;
  return false;
}
