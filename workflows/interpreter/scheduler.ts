import type { ControlStep } from '../../plan/control';
import { dependencies } from '../../plan/order';
import { DEFAULT_CONCURRENT } from '../../plan/plan';
import { isSettled } from '../../plan/status';
import type { Run } from './run';
import { holds, looksAtStates } from './scope';

/**
 * Decides which step starts when: order, dependencies, conditions and how many at once. It knows nothing of what a step does.
 *
 * Invariants: 1. a step starts only when all it depends on is settled in its current round; 2. starting or settling a step
 * costs time in proportion to its own dependents, so that a run of ten thousand steps is linear; 3. steps that become
 * ready together start in the plan's order.
 */
export interface Scheduler {
  /** Takes up what state says: running and waiting steps go on, ready ones start. */
  start(): void;
  /** Starts what may start now. */
  pump(): void;
  /** A step has nothing more to do in its round. */
  settled(step: ControlStep): void;
  /** Steps were set back to pending for another round. */
  restarted(): void;
  /** A step gives its place to others while it waits for a person, or takes it back. */
  yielded(step: ControlStep, gone: boolean): void;
  /** Nothing that is still pending runs any more. */
  skipRest(): void;
}

export type StartDecision = { start: true } | { start: false; reason: string };

export function createScheduler(run: Run, startStep: (step: ControlStep, decision: StartDecision) => void): Scheduler {
  const { steps, order } = run.plan.block;
  const needs = dependencies(run.plan.block);
  const position = new Map(steps.map((step, i) => [step.id, i]));
  const dependents = new Map<string, ControlStep[]>();
  for (const step of steps) {
    for (const id of needs.get(step.id) ?? []) {
      const list = dependents.get(id);
      if (list) list.push(step);
      else dependents.set(id, [step]);
    }
  }
  const limit = run.plan.concurrent ?? DEFAULT_CONCURRENT;
  /** Dependencies of each pending step that are not settled. */
  let missing = new Map<string, number>();
  let unsettled = 0;
  /** Positions of the steps that may start, ascending from `nextReady`. */
  let ready: number[] = [];
  const active = new Set<string>();
  let pumping = false;

  function recount(): void {
    missing = new Map();
    unsettled = 0;
    ready = [];
    steps.forEach((step, i) => {
      const state = run.state.records[step.id]?.state ?? 'pending';
      if (isSettled(state)) return;
      unsettled += 1;
      if (state !== 'pending') return;
      const open = (needs.get(step.id) ?? []).filter((id) => !isSettled(run.state.records[id]?.state ?? 'pending')).length;
      missing.set(step.id, open);
      if (open === 0) ready.push(i);
    });
  }

  function offer(at: number): void {
    const after = ready.findIndex((other) => other > at);
    if (after === -1) ready.push(at);
    else ready.splice(after, 0, at);
  }

  function decide(step: ControlStep): StartDecision {
    if (run.state.skipRest) return { start: false, reason: 'the rest was skipped' };
    const asksStates = step.when !== undefined && looksAtStates(step.when);
    if (order === 'graph' && !asksStates) {
      const gone = (needs.get(step.id) ?? []).find((id) => run.state.records[id]?.state !== 'done');
      if (gone !== undefined) return { start: false, reason: `${gone} was ${run.state.records[gone]?.state ?? 'pending'}` };
    }
    if (step.when && !holds(run, step.when)) return { start: false, reason: 'its condition is false' };
    return { start: true };
  }

  const scheduler: Scheduler = {
    start() {
      recount();
      // What a step taken up here does at once may call `pump`: nothing new starts before all are taken up.
      pumping = true;
      for (const step of steps) {
        const state = run.state.records[step.id]?.state;
        if (state === 'running') active.add(step.id);
        if (state === 'running' || state === 'waiting' || state === 'held') startStep(step, { start: true });
      }
      pumping = false;
      scheduler.pump();
    },
    pump() {
      // A skipped step settles at once and calls back in here: the loop below sees what it made ready.
      if (pumping) return;
      pumping = true;
      if (unsettled > 0) run.drainIfDue();
      while (ready.length > 0 && active.size < limit && !run.halted && !run.ending) {
        const step = steps[ready.shift() ?? 0];
        if (!step) break;
        const decision = decide(step);
        if (decision.start) active.add(step.id);
        startStep(step, decision);
      }
      pumping = false;
      if (unsettled === 0) run.end({ kind: 'completed' });
    },
    settled(step) {
      active.delete(step.id);
      unsettled -= 1;
      for (const next of dependents.get(step.id) ?? []) {
        const left = (missing.get(next.id) ?? 0) - 1;
        missing.set(next.id, left);
        if (left === 0) offer(position.get(next.id) ?? 0);
      }
      scheduler.pump();
    },
    restarted() {
      for (const id of [...active]) if (run.state.records[id]?.state === 'pending') active.delete(id);
      recount();
      scheduler.pump();
    },
    yielded(step, gone) {
      if (gone) active.delete(step.id);
      else active.add(step.id);
      scheduler.pump();
    },
    skipRest() {
      run.state.skipRest = true;
    },
  };
  return scheduler;
}
