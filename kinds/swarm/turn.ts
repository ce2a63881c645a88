import { isSettled, type StepState } from '../../plan/run/step-state';
import { isWithin } from '../../plan/steps/address';
import { commandChildren, pauseFor } from '../../workflows/interpreter/containers/child-commands';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { ADMISSION } from '../../workflows/interpreter/run';
import { exclusiveTurn } from '../../workflows/interpreter/scheduling/exclusive-turn';
import { isContainerPlace, type PlaceOf, stepIdAt } from '../../workflows/interpreter/scheduling/place';
import type { ExclusiveTurn } from '../../workflows/interpreter/state/state';
import { pathById } from '../../workflows/interpreter/steps/expression-scope';

/**
 * A run has one swarm at a time, and nothing else starts meanwhile if the swarm says so.
 *
 * Invariants: 1. a waiting swarm gets its turn once the previous one has ended in any way; 2. work in progress when a swarm begins runs to
 * the end of its activity;
 * 3. what an operator has paused stays paused.
 */

/** The wake key of a swarm that waits for another. */
export const SWARM_TURN = 'swarm-turn';

type SwarmPlace = PlaceOf<'swarm'>;

/** Undefined while another swarm is at work, whose name `waits` gets. */
export function beginSwarm(it: Interpreter, place: SwarmPlace, waits: (behind: string) => void): true | undefined {
  const { run } = it;
  const before = exclusiveTurn(run.state);
  if (before && before.path !== place.path) {
    waits(run.name(before.path));
    return undefined;
  }
  const turn = hold(it, place);
  if (turn.pausesOthers) notePaused(it, place, turn);
  it.changed('gates');
  return true;
}

/** A rerun remembers that the turn was taken, but its fresh state has no holder. */
export function holdSwarm(it: Interpreter, place: SwarmPlace): void {
  if (!exclusiveTurn(it.run.state)) hold(it, place);
}

function hold({ run }: Interpreter, { path, step: { kind, pausesOthers, affected } }: SwarmPlace): ExclusiveTurn {
  const turn: ExclusiveTurn = { path, kind, round: run.record(path).round, atMs: run.ctx.now(), pausesOthers, affected, paused: [] };
  run.state.exclusive = turn;
  return turn;
}

export function endSwarm(it: Interpreter, { path, step: { affected }, frame }: SwarmPlace): void {
  const { run } = it;
  const { exclusive: turn, records, paused: byOperator } = run.state;
  if (turn?.path !== path || (run.ending && run.ending.kind !== 'continue')) return;
  delete run.state.exclusive;
  const blocked = affected.map((id) => pathById(run, frame, id));
  for (const paused of turn.paused) {
    const { state = 'pending' } = records[paused] ?? {};
    // Its round of a loop is over, and nothing is known of it any more.
    const isGone = !records[paused] && !blocked.includes(paused);
    if (isSettled(state) || isGone) continue;
    run.journal.add({ kind: 'step', step: run.name(paused), state, reason: `resumed: the swarm ${run.name(path)} is over` });
  }
  if (turn.pausesOthers && !byOperator) commandChildren(it, 'unpause', pauseFor(run, turn));
  run.wake(SWARM_TURN);
  run.wake(ADMISSION);
  it.pump();
  it.changed('gates');
}

/** Notes the other work in progress, for the journal, and pauses the children of the run. */
function notePaused(it: Interpreter, { path: own, step: { affected }, frame }: SwarmPlace, turn: ExclusiveTurn): void {
  const { run } = it;
  const { paused: byOperator } = run.state;
  const { by, reason } = pauseFor(run, turn);
  const { calledBy } = run.record(own).brief ?? {};
  const pause = (path: string, state: StepState): void => {
    turn.paused.push(path);
    run.journal.add({ kind: 'step', step: run.name(path), state, reason: `${reason}: ${by}` });
  };
  for (const [path, { state }] of run.index.live(run.state.records)) {
    const step = run.steps.get(stepIdAt(path))?.step;
    const isOwn = path === own || path === calledBy || isWithin(path, own) || isWithin(own, path);
    if (isOwn || !step || isContainerPlace(step) || (state !== 'running' && state !== 'waiting')) continue;
    pause(path, state);
  }
  for (const path of affected.flatMap((id) => pathById(run, frame, id) ?? []))
    if ((run.state.records[path]?.state ?? 'pending') === 'pending') pause(path, 'pending');
  if (!byOperator) commandChildren(it, 'pause', { by, reason });
}
