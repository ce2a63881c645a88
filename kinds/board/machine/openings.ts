import { BOARD } from '../../../plan/board/message';
import type { BoardAnswer } from '../../../plan/board/request';
import type { BoardEvent } from './events';
import { type Handling, note } from './handling';
import { offerAgain } from './landing';
import { addTasks } from './new-tasks';
import { accept, refuse } from './refusals';
import { added, whyNoTeam } from './spawns';
import { renewBudget } from './task-budget';
import { isForgone, release } from './tasks';
import { begin } from './works';

/** How a board begins: with its file's members and tasks, or anew for the next try of the step. */

export function open(h: Handling, { members, tasks }: Extract<BoardEvent, { kind: 'opened' }>): BoardAnswer {
  const { state } = h;
  if (state.members.length > 0) return refuse('working', 'the board is open already');
  const wrong = whyNoTeam(state, members);
  if (!wrong) for (const member of members) added(h, member);
  const list = wrong ?? addTasks(h, tasks, BOARD);
  if (!Array.isArray(list)) {
    state.members = [];
    state.over = 'unfinished';
    h.decisions.push({ kind: 'over' });
    return list;
  }
  for (const member of state.members) {
    note(h, { event: 'spawned', member: member.name });
    begin(h, member);
  }
  return accept({ tasks: list.length });
}

/** What a member has for the time of one try of the step. */
const MOMENTARY = ['work', 'charged', 'answers', 'isLeaving', 'isDismissed', 'isProgram', 'reason'] as const;

/** Tasks that are not done begin anew, with all attempts, and each member that there is. A board that never opened stays over. */
export function beginAnew(h: Handling): void {
  const { state } = h;
  if (state.members.length === 0) return;
  for (const key of ['over', 'isDraining', 'wereAsked'] as const) delete state[key];
  state.requests = [];
  for (const task of state.tasks) {
    if (task.status === 'completed' || isForgone(task)) continue;
    if (task.status === 'landing') {
      offerAgain(h, task);
      continue;
    }
    release(task);
    task.attempt = 0;
    renewBudget(task);
  }
  for (const member of state.members) {
    for (const key of MOMENTARY) delete member[key];
    begin(h, member);
  }
}
