import { isSettled, type StepState } from '../../plan/run/step-state';
import { commandChildren, swarmPause } from '../../workflows/interpreter/containers/child-commands';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { ADMISSION } from '../../workflows/interpreter/run';
import { isContainerPlace, isWithin, type PlaceOf, stepIdAt } from '../../workflows/interpreter/scheduling/place';
import { swarmAtWork } from '../../workflows/interpreter/scheduling/swarm-pause';
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
  const before = swarmAtWork(run.state);
  if (before && before.path !== place.path) {
    waits(run.name(before.path));
    return undefined;
  }
  hold(it, place);
  if (place.step.pausesOthers) notePaused(it, place);
  it.changed('gates');
  return true;
}

/** A rerun remembers that the turn was taken, but its fresh state has no holder. */
export function holdSwarm(it: Interpreter, place: SwarmPlace): void {
  if (!swarmAtWork(it.run.state)) hold(it, place);
}

function hold({ run }: Interpreter, { path, step: { pausesOthers, affected } }: SwarmPlace): void {
  run.state.swarm = { path, round: run.record(path).round, atMs: run.ctx.now(), pausesOthers, affected, paused: [] };
}

export function endSwarm(it: Interpreter, { path, step: { affected }, frame }: SwarmPlace): void {
  const { run } = it;
  const { swarm, records, paused: byOperator } = run.state;
  if (swarm?.path !== path || (run.ending && run.ending.kind !== 'continue')) return;
  delete run.state.swarm;
  const blocked = affected.map((id) => pathById(run, frame, id));
  for (const paused of swarm.paused) {
    const { state = 'pending' } = records[paused] ?? {};
    // Its round of a loop is over, and nothing is known of it any more.
    const isGone = !records[paused] && !blocked.includes(paused);
    if (isSettled(state) || isGone) continue;
    run.journal.add({ kind: 'step', step: run.name(paused), state, reason: `resumed: the swarm ${run.name(path)} is over` });
  }
  if (swarm.pausesOthers && !byOperator) commandChildren(it, 'unpause', swarmPause(run, path));
  run.wake(SWARM_TURN);
  run.wake(ADMISSION);
  it.pump();
  it.changed('gates');
}

/** Notes the other work in progress, for the journal, and pauses the children of the run. */
function notePaused(it: Interpreter, { path: own, step: { affected }, frame }: SwarmPlace): void {
  const { run } = it;
  const { swarm, paused: byOperator } = run.state;
  const { calledBy } = run.record(own).brief ?? {};
  const pause = (path: string, state: StepState): void => {
    swarm?.paused.push(path);
    run.journal.add({ kind: 'step', step: run.name(path), state, reason: `paused_for_swarm: ${run.name(own)}` });
  };
  for (const [path, { state }] of run.index.live(run.state.records)) {
    const step = run.steps.get(stepIdAt(path))?.step;
    const isOwn = path === own || path === calledBy || isWithin(path, own) || isWithin(own, path);
    if (isOwn || !step || isContainerPlace(step) || (state !== 'running' && state !== 'waiting')) continue;
    pause(path, state);
  }
  for (const path of affected.flatMap((id) => pathById(run, frame, id) ?? []))
    if ((run.state.records[path]?.state ?? 'pending') === 'pending') pause(path, 'pending');
  if (!byOperator) commandChildren(it, 'pause', swarmPause(run, own));
}
