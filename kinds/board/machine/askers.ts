import type { TaskOutcome } from '../../../plan/board/asked-task';
import type { BoardState, TaskState } from '../../../plan/board/board-state';
import { defined } from '../../../plan/defined';
import { type AskedBy, ticketId } from '../../../plan/queue/ticket';
import type { Handling } from './handling';

/** Tasks for which a run waits: each is one task, however often it is asked for, and is reported once. */

export function askedTask({ tasks }: BoardState, asked: AskedBy): TaskState | undefined {
  const id = ticketId(asked);
  return tasks.find((task) => task.asked && ticketId(task.asked) === id);
}

export function reportEnd(h: Handling, task: TaskState): void {
  const { number, status, attempt, owner, result, returned } = task;
  if (status === 'completed') report(h, task, { kind: 'completed', id: number, attempts: attempt, ...defined({ owner, result }) });
  if (status === 'dropped') report(h, task, { kind: 'dropped', id: number, ...defined({ reason: returned?.reason }) });
}

/** The team has ended, and no other goes on with its board. */
export function reportLeft(h: Handling): void {
  for (const task of h.state.tasks) report(h, task, { kind: 'left', id: task.number });
}

function report({ decisions }: Handling, task: TaskState, outcome: TaskOutcome): void {
  if (!task.asked) return;
  decisions.push({ kind: 'report', asked: task.asked, outcome });
  delete task.asked;
}
