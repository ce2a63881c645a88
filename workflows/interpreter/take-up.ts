import { resumeReservations } from './budget/child-budget';
import { resumeStartedRuns } from './containers/started-runs';
import { receiveCommand } from './inbound/inbound';
import { takePendingSignals } from './inbound/pending-signals';
import type { Interpreter } from './interpreter';
import { resumeWithdrawals } from './merging/open-tickets';
import { resumeOutbox } from './messages/notification-outbox';
import { takeUpBlocks } from './scheduling/blocks';

/**
 * What a fresh execution takes over that is no step's own: budgets that are held, cancelled work that nobody has looked up, what is on its
 * way from and to others. Steps are taken up by the schedulers of their blocks, each from its log.
 *
 * @param listen opens the door to messages, which come after those that the execution before has left
 */
export function takeUp(it: Interpreter, listen: () => void): void {
  const { run, parent, cancelledWork } = it;
  // What is added from here on is on its way already.
  const undelivered = [...run.state.outbox];
  cancelledWork.resume();
  resumeReservations(it);
  parent.resume();
  it.changed('gates');
  for (const { name, payload, sealedFor } of takePendingSignals(run)) receiveCommand(it, name, payload, sealedFor);
  listen();
  parent.woken();
  resumeStartedRuns(it);
  resumeWithdrawals(it);
  takeUpBlocks(it);
  resumeOutbox(it, undelivered);
}
