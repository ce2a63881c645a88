import { defined } from '../../plan/defined';
import type { Description } from '../../plan/steps/description';
import { fact } from '../../plan/steps/description-parts';
import type { TaskStep } from './model';

export interface ShownTask {
  kind: 'task';
  team: string;
  subject: string;
  description?: string;
  name?: string;
  blockedBy?: string[];
  requiredRole?: string;
  priority?: number;
  worktree?: boolean;
  wait: boolean;
}

export const TASK_DESCRIPTION: Description<TaskStep, ShownTask> = {
  data: ({ team, task: { subject, description, name, blockedBy, ...task }, endsTaken }, words) => ({
    kind: 'task',
    team,
    subject: words.text(subject),
    ...defined({
      description: description && words.readable(description),
      name: name && words.text(name),
      blockedBy: blockedBy?.map(words.text),
    }),
    ...task,
    wait: endsTaken !== true,
  }),
  line: ({ team, subject, wait }) => `a task for the team ${team}: ${subject}${wait ? '' : ', without waiting for it'}`,
  facts: ({ description, name, blockedBy, requiredRole, priority, worktree }) => [
    ...fact('task', description),
    ...fact('name', name),
    ...fact('blocked by', blockedBy?.join(', ')),
    ...fact('for', requiredRole),
    ...fact('priority', priority === undefined ? undefined : String(priority)),
    ...fact('worktree', worktree === undefined ? undefined : worktree ? 'its own' : 'none'),
  ],
  label: ({ team }) => `for ${team}`,
  shape: 'message',
};
