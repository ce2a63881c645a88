import type { ParentMessage } from '../../../plan/run/child';
import type { SignalName, SignalPayload } from '../../../plan/run/signal';
import type { ChildHeldStep } from '../inbound/held-steps';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { exclusiveTurn } from '../scheduling/exclusive-turn';
import { childStateOf } from '../state/kind-state';
import type { ExclusiveTurn } from '../state/state';
import { childrenInProgress, sendToChild } from './child-runs';
import type { ChildRecord } from './container-record';

/** An operator's order to a run that also concerns its children, or one of them. */

/** Every child that is in progress is informed. */
export function commandChildren(it: Interpreter, name: Extract<SignalName, 'pause' | 'unpause' | 'abort'>, payload: SignalPayload): void {
  for (const { path, child } of childrenInProgress(it.run)) order(it, path, child, name, payload);
}

/** How a child names the turn that it is paused for. */
export function pauseFor(run: Run, { path, kind }: ExclusiveTurn): { by: string; reason: string } {
  return { by: run.name(path), reason: `paused_for_${kind}` };
}

/** A child that was started while the pause came is paused like the others. */
export function pauseWithParent(it: Interpreter, path: string, child: ChildRecord): void {
  const { run } = it;
  const turn = exclusiveTurn(run.state);
  if (run.state.paused) {
    const { atMs: _since, ...payload } = run.state.paused;
    order(it, path, child, 'pause', payload);
  } else if (turn?.pausesOthers) order(it, path, child, 'pause', pauseFor(run, turn));
}

/** Until the child says otherwise the step counts as taken up: of two orders at once the second is refused. */
export function commandHeldChild(it: Interpreter, held: ChildHeldStep, name: 'retry' | 'skip', payload: SignalPayload): void {
  const { run } = it;
  const child = childStateOf(run.state.records[held.path]);
  if (!child) return;
  order(it, held.path, child, name, { ...payload, step: held.step });
  const left = (child.held ?? []).filter((other) => other.step !== held.step);
  if (left.length > 0) child.held = left;
  else {
    delete child.held;
    child.state = 'running';
  }
  it.changed('gates');
}

function order(it: Interpreter, path: string, child: ChildRecord, name: SignalName, payload: SignalPayload): void {
  const given = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
  const word: ParentMessage = { kind: 'signal', name, payload: given };
  // Not a background task: the run does not continue in a fresh execution before the child is informed.
  it.run.spawn(() => sendToChild(it, path, child, word));
}
