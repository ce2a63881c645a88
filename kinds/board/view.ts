import type { MemberStatus } from '../../plan/board/member';
import type { TaskNumber, TaskStatus } from '../../plan/board/task';
import type { StepState } from '../../plan/run/step-state';
import type { KindView } from '../../plan/steps/kind-view';

/** A board and its team as a run shows them. */
export interface BoardView {
  team: string;
  /** How it has ended. Absent: it has not. */
  over?: 'done' | 'unfinished' | 'stopped';
  isDraining?: true;
  /** Open tasks, and the last of the finished ones; by number. */
  tasks: BoardTaskView[];
  /** How many tasks were completed, those that are no longer shown among them. */
  completed: number;
  total: number;
  members: MemberView[];
}

export interface BoardTaskView {
  number: TaskNumber;
  name?: string;
  subject: string;
  status: TaskStatus;
  owner?: string;
  requiredRole?: string;
  /** Unfinished tasks that it waits for. */
  blockedBy: TaskNumber[];
  attempt: number;
  /** Why it came back. */
  returned?: string;
  /** When it was claimed or ended, ISO 8601. */
  since?: string;
  /** Nobody in the team may claim it. */
  isForNobody?: true;
}

export interface MemberView {
  name: string;
  role?: string;
  agent: string;
  isLead?: true;
  status: MemberStatus;
  /** ISO 8601. */
  since: string;
  /** When it will shut down if nothing comes, ISO 8601. */
  until?: string;
  /** Messages that it has not read. */
  unread: number;
  works: number;
  reason?: string;
}

export const BOARD_VIEW: KindView<'board', BoardView> = {
  key: 'board',
  facts: (board) => [progressWords(board), teamWords(board)],
  items: ({ tasks, over }) =>
    tasks.map((task) => ({
      id: `#${task.number}`,
      words: wordsOf(task, over !== undefined),
      state: over !== undefined && task.status === 'in_progress' ? 'skipped' : STATE_OF_STATUS[task.status],
      isNews: task.attempt > 0,
      ...(task.owner === undefined ? {} : { by: task.owner }),
      ...(task.since === undefined ? {} : { since: task.since }),
    })),
};

const STATE_OF_STATUS: Readonly<Record<TaskStatus, StepState>> = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'done',
  held: 'waiting',
  dropped: 'skipped',
};

function wordsOf({ subject, status, blockedBy, requiredRole, returned, isForNobody, attempt }: BoardTaskView, isOver: boolean): string {
  const open = isOver ? 'left open' : blockedBy.length > 0 ? `waits for ${blockedBy.map((number) => `#${number}`).join(', ')}` : '';
  const nobody = isForNobody ? `nobody here is a ${requiredRole}` : '';
  const parts: Readonly<Record<TaskStatus, string[]>> = {
    pending: [open, nobody, cameBack(returned)],
    in_progress: [attempt > 1 ? `attempt ${attempt}` : '', cameBack(returned)],
    completed: [],
    held: ['a person decides', cameBack(returned)],
    dropped: ['left out'],
  };
  return [subject, ...parts[status]].filter((part) => part !== '').join(', ');
}

function cameBack(returned: string | undefined): string {
  return returned === undefined ? '' : `came back: ${returned}`;
}

/** `2 of 3 tasks completed`. */
function progressWords({ completed, total }: BoardView): string {
  return `${completed} of ${total} ${total === 1 ? 'task' : 'tasks'} completed`;
}

/** `alice works, bob idle`. */
function teamWords({ members }: BoardView): string {
  const words = { working: 'works', idle: 'idle', shutdown: 'shut down', failed: 'failed' } as const;
  return members.length === 0 ? 'nobody in the team' : members.map(({ name, status }) => `${name} ${words[status]}`).join(', ');
}
