import type { Outcome } from './commands';
import type { EventQueue } from './event-queue';
import type { ActivityCommand, SimulatedWorld, Work } from './ports';
import type { Execution, SimulatedRun } from './simulated-run';

/** Activities and timers in progress. Their outcomes are delivered at their time, to the execution that started them. */
export interface SimulatedPendingWork {
  later(run: SimulatedRun, execution: Execution, seq: number, ms: number, outcome: Outcome): void;
  schedule(run: SimulatedRun, execution: Execution, command: ActivityCommand): void;
  cancelWork(run: SimulatedRun, execution: Execution, seq: number): void;
}

/** The time after which a worker learns that an activity is cancelled. */
const HEARD_AFTER_MS = 1000;

export function createPendingWork(agenda: EventQueue, world: SimulatedWorld): SimulatedPendingWork {
  function later(run: SimulatedRun, execution: Execution, seq: number, ms: number, outcome: Outcome): void {
    carryOn(run, execution, seq, { afterMs: ms, outcome });
  }

  function carryOn(run: SimulatedRun, execution: Execution, seq: number, work: Work): void {
    const strike = agenda.after(work.afterMs, () => {
      if ('goOn' in work) return carryOn(run, execution, seq, work.goOn());
      work.effect?.();
      settle(run, execution, seq, work.outcome);
    });
    execution.strike.set(seq, strike);
  }

  function settle(run: SimulatedRun, execution: Execution, seq: number, outcome: Outcome): void {
    execution.strike.delete(seq);
    execution.pending.delete(seq);
    if (run.execution === execution && !run.end) run.mail.push({ kind: 'settled', seq, outcome });
  }

  function schedule(run: SimulatedRun, execution: Execution, command: ActivityCommand): void {
    const { address } = command.options;
    const twice = [...execution.pending.values()].some((other) => address !== undefined && other.address === address);
    if (twice) throw new Error(`two activities pending with the id ${address}: the workflow would be wedged`);
    execution.pending.set(command.seq, { address, command });
    carryOn(run, execution, command.seq, world.perform(run, command));
  }

  /** A timer ends at once. An activity learns of the cancellation with its next heartbeat, unless it is done before. */
  function cancelWork(run: SimulatedRun, execution: Execution, seq: number): void {
    const activity = execution.pending.get(seq);
    if (!activity) {
      execution.strike.get(seq)?.();
      execution.strike.delete(seq);
      return;
    }
    agenda.after(HEARD_AFTER_MS, () => {
      if (execution.pending.get(seq) !== activity) return;
      execution.strike.get(seq)?.();
      settle(run, execution, seq, { kind: 'cancelled' });
    });
  }

  return { later, schedule, cancelWork };
}
