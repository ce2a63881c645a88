import type { Run } from '../run';

/**
 * Limits of a flood of messages while no step settles: their journal entries go to the store a page at a time, and an execution that has
 * received so many is followed by a fresh one.
 *
 * The server's behaviour in floods sets the measure. It accepts 10,000 signals for an execution, and refuses the rest. It fails a workflow
 * task during which 100 have come, so tasks must be short; and also one that would close the execution while another signal has come: then
 * it holds back new ones, but the execution has to be replayed from its beginning, and within the time limit of a task.
 */
const SIGNALS_AN_EXECUTION = 500;

const received = new WeakMap<Run, number>();

/** Called with each message that has come. */
export function limitFloodHistory(run: Run): void {
  const many = (received.get(run) ?? 0) + 1;
  received.set(run, many);
  if (run.ending) return;
  if (run.journal.pageIsFull()) run.background(() => run.journal.flush());
  run.drainIfDue();
  // Only where it holds up nobody: a drain waits for the steps running, and starts no other.
  if (many >= SIGNALS_AN_EXECUTION) run.drainIfDue('when-idle');
}
