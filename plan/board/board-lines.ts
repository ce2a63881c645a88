import type { MemberStatus } from './member';
import type { TaskNumber, TaskStatus } from './task';

/** A board as its members and people read it. */

export interface ListedBoard {
  completed: number;
  total: number;
  tasks: readonly ListedTask[];
  /** How many tasks are not in the list. */
  left_out?: number;
  members: readonly { name: string; role?: string; status: MemberStatus; lead?: true }[];
}

export interface ListedTask {
  id: TaskNumber;
  subject: string;
  status: TaskStatus;
  name?: string;
  owner?: string;
  blocked_by?: readonly TaskNumber[];
  required_role?: string;
  /** It is pending, and nobody in the team has the role. */
  for_nobody?: true;
}

export const TASK_MARKS: Readonly<Record<TaskStatus, string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  landing: '[>]',
  completed: '[x]',
  held: '[?]',
  dropped: '[-]',
};

const NOTES: Readonly<Partial<Record<TaskStatus, string[]>>> = {
  landing: ['in the merge queue'],
  held: ['a person decides'],
  dropped: ['left out'],
};

/** `[>] #3: Write the parser @alice`. */
export function taskLine({ id, subject, status, name, owner, blocked_by: blockers = [], ...task }: ListedTask): string {
  const { required_role: role, for_nobody: isForNobody } = task;
  const notes = [
    ...(name === undefined ? [] : [`named ${name}`]),
    ...(blockers.length === 0 ? [] : [`blocked by ${blockers.map((number) => `#${number}`).join(', ')}`]),
    ...(role === undefined ? [] : [`for ${role}${isForNobody ? ', which nobody here is' : ''}`]),
    ...(NOTES[status] ?? []),
  ];
  return `${TASK_MARKS[status]} #${id}: ${subject}${owner === undefined ? '' : ` @${owner}`}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

export function boardLines({ completed, total, tasks, left_out: leftOut, members }: ListedBoard): string {
  const team = members.map(({ name, role, status, lead }) => `${name}${role ? ` (${role})` : lead ? ' (lead)' : ''}: ${status}`);
  return [
    ...tasks.map(taskLine),
    ...(leftOut ? [`${leftOut} more tasks are not shown`] : []),
    total === 0 ? 'The board has no tasks.' : `${completed} of ${total} completed`,
    ...(team.length === 0 ? [] : [`Team: ${team.join(', ')}`]),
  ].join('\n');
}
