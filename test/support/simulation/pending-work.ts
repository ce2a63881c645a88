import type { Outcome } from './commands';
import type { EventQueue } from './event-queue';
import type { ActivityCommand, SimulatedWorld } from './ports';
import type { Execution, SimulatedRun } from './simulated-run';

/** Activities and timers in progress: what comes of them is delivered when its time has come, to the execution that asked. */
export interface SimulatedPendingWork {
  later(run: SimulatedRun, execution: Execution, seq: number, ms: number, outcome: Outcome, effect?: () => void): void;
  schedule(run: SimulatedRun, execution: Execution, command: ActivityCommand): void;
  cancelWork(run: SimulatedRun, execution: Execution, seq: number): void;
}

/** How long a worker does not hear that an activity is cancelled. */
const HEARD_AFTER_MS = 1000;

export function createPendingWork(agenda: EventQueue, world: SimulatedWorld): SimulatedPendingWork {
  function later(run: SimulatedRun, execution: Execution, seq: number, ms: number, outcome: Outcome, effect?: () => void): void {
    const strike = agenda.after(ms, () => {
      effect?.();
      execution.strike.delete(seq);
      execution.pending.delete(seq);
      if (run.execution === execution && !run.end) run.mail.push({ kind: 'settled', seq, outcome });
    });
    execution.strike.set(seq, strike);
  }

  function schedule(run: SimulatedRun, execution: Execution, command: ActivityCommand): void {
    const { address } = command.options;
    const twice = [...execution.pending.values()].some((other) => address !== undefined && other.address === address);
    if (twice) throw new Error(`two activities pending with the id ${address}: the workflow would be wedged`);
    const { afterMs, outcome, effect } = world.perform(run, command);
    execution.pending.set(command.seq, { address, command, doneAtMs: agenda.now() + afterMs });
    later(run, execution, command.seq, afterMs, outcome, effect);
  }

  /** A timer is gone at once; an activity hears of it with its next heartbeat, unless it is done before. */
  function cancelWork(run: SimulatedRun, execution: Execution, seq: number): void {
    const activity = execution.pending.get(seq);
    if (activity && activity.doneAtMs - agenda.now() <= HEARD_AFTER_MS) return;
    execution.strike.get(seq)?.();
    execution.strike.delete(seq);
    if (activity) later(run, execution, seq, HEARD_AFTER_MS, { kind: 'cancelled' });
  }

  return { later, schedule, cancelWork };
}
