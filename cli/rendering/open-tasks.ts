import type { StepView } from '../../plan/run/status';
import { oneLine } from './text/printable';

type Task = NonNullable<StepView['board']>['tasks'][number];

const SHOWN = 20;

/** `: 2 tasks are left open` and a line for each of the first. */
export function openTasks(open: readonly Task[]): string {
  if (open.length === 0) return '';
  const lines = open.slice(0, SHOWN).map(({ number, subject }) => `\n  [ ] #${number}: ${oneLine(subject)}`);
  const more = open.length > SHOWN ? `\n  and ${open.length - SHOWN} more` : '';
  return `; ${open.length} ${open.length === 1 ? 'task is' : 'tasks are'} left open:${lines.join('')}${more}`;
}
