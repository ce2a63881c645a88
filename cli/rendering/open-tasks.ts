import { TASK_MARKS } from '../../plan/board/board-lines';
import type { StepView } from '../../plan/run/status';
import { oneLine } from './text/printable';

type Task = NonNullable<StepView['board']>['tasks'][number];

const SHOWN = 20;

/** What the next run of a team goes on with: neither done nor left out. */
export function leftOpen(tasks: readonly Task[]): Task[] {
  return tasks.filter(({ status }) => status !== 'completed' && status !== 'dropped');
}

/** `: 2 tasks are left open` and a line for each of the first. */
export function openTasks(open: readonly Task[]): string {
  if (open.length === 0) return '';
  const lines = open.slice(0, SHOWN).map(({ number, subject, status }) => `\n  ${TASK_MARKS[status]} #${number}: ${oneLine(subject)}`);
  const more = open.length > SHOWN ? `\n  and ${open.length - SHOWN} more` : '';
  return `; ${open.length} ${open.length === 1 ? 'task is' : 'tasks are'} left open:${lines.join('')}${more}`;
}
