import { resumeReservations } from './budget/child-budget';
import { resumeStartedRuns } from './containers/started-runs';
import { receiveCommand } from './inbound/inbound';
import { takePendingSignals } from './inbound/pending-signals';
import type { Interpreter } from './interpreter';
import { resumeWithdrawals } from './merging/open-tickets';
import { resumeOutbox } from './messages/notification-outbox';
import { takeUpBlocks } from './scheduling/blocks';

/**
 * What a fresh execution takes over that belongs to no step: reservations of budgets, cancelled work that was not looked up, messages from
 * and to others. The schedulers of their blocks take up steps, each from its log.
 *
 * @param listen opens the door to messages, which come after those of the earlier execution
 */
export function takeUp(it: Interpreter, listen: () => void): void {
  const { run, parent, cancelledWork } = it;
  // Messages added from here on are on their way already.
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
