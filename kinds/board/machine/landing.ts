import type { TaskState } from '../../../plan/board/board-state';
import { BOARD, MERGE_QUEUE, SHORT_CHARACTERS } from '../../../plan/board/message';
import type { BoardResult } from '../../../plan/board/request';
import { defined } from '../../../plan/defined';
import { shortened } from '../../../plan/text/shortened';
import type { BoardEvent } from './events';
import { type Handling, note } from './handling';
import { findMember, lives } from './members';
import { deliver, written } from './messages';
import { complete, giveBack, goBack, hold } from './tasks';
import { beginUnbegun, enter } from './works';

/** Completed tasks on their way into the target branch: their owners do something else meanwhile. */

/** Its owner is done with it: it is completed at once, or once its commit has landed. */
export function finish(
  h: Handling,
  task: TaskState,
  { result, commit }: { result: BoardResult | undefined; commit: string | undefined },
): void {
  if (task.worktree !== undefined && commit !== undefined && h.state.limits.lands) {
    offer(h, task, commit, result);
    return;
  }
  if (task.worktree !== undefined) Object.assign(task, defined({ commit }));
  complete(h, task, result);
}

/** The commit of a completed task, for the merge queue. */
function offer(h: Handling, task: TaskState, commit: string, result: BoardResult | undefined): void {
  const kept = result && { ...result, text: shortened(result.text, SHORT_CHARACTERS) };
  Object.assign(task, { commit }, defined({ result: kept }));
  note(h, { event: 'offered', task: task.number, commit, ...defined({ by: task.owner }) });
  offerAgain(h, task);
}

/** Each offer has a number: the queue takes another one for another candidate. */
export function offerAgain(h: Handling, task: TaskState): void {
  task.status = 'landing';
  task.offers = (task.offers ?? 0) + 1;
  delete task.isReady;
  h.decisions.push({ kind: 'land', task: task.number });
}

export function land(h: Handling, task: TaskState, commit: string): void {
  if (task.status !== 'landing') return;
  const owner = task.owner === undefined ? undefined : findMember(h.state, task.owner);
  task.commit = commit;
  note(h, { event: 'landed', task: task.number, commit });
  complete(h, task, task.result);
  // It has waited for this, and not for other work: its time begins anew.
  if (owner?.status === 'idle') enter(h, owner, 'idle');
}

/**
 * What did not land is its owner's again, in the same worktree; that is an attempt. It goes back to the board if the owner has gone, and to
 * a person if no attempt is left, or if no member could mend it.
 */
export function comeBack(h: Handling, task: TaskState, event: Extract<BoardEvent, { kind: 'came-back' }>): void {
  if (task.status !== 'landing') return;
  const { state, atMs } = h;
  const { whole, onto, isNoFault } = event;
  const reason = shortened(event.reason, SHORT_CHARACTERS);
  const returned = { by: MERGE_QUEUE, reason, ...defined({ whole }) };
  const owner = task.owner === undefined ? undefined : findMember(state, task.owner);
  Object.assign(task, defined({ onto }));
  if (isNoFault) {
    goBack(h, task, MERGE_QUEUE, reason, whole);
    task.isReady = true;
    hold(h, task);
    return;
  }
  const stays = owner && lives(owner) && !owner.isLeaving && !state.isDraining && task.attempt < state.limits.attempts;
  if (!stays) {
    giveBack(h, task, MERGE_QUEUE, reason, whole);
    return;
  }
  Object.assign(task, { status: 'in_progress', isUnbegun: true, claimedAtMs: atMs, returned });
  task.attempt += 1;
  note(h, { event: 'returned', task: task.number, by: MERGE_QUEUE, reason });
  const content = shortened(`#${task.number} came back from the merge queue. You have it when this turn ends: ${reason}`, SHORT_CHARACTERS);
  deliver(h, written(h, { type: 'message', from: BOARD, to: owner.name, content }));
  if (owner.status === 'idle') beginUnbegun(h, owner);
}
