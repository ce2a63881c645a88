import { defined } from '../../plan/defined';

/** The member of a board whose output a log has, and the task that its work began with. */
export interface LogOwner {
  member: string;
  task?: number;
}

/** A note in the log, which `ownerIn` reads. */
export function ownerNote({ member, task }: LogOwner): string {
  return `member ${member}${task === undefined ? '' : `, task #${task}`}`;
}

const NOTE = /^member ([\w.-]+)(?:, task #(\d+))?$/;

/** Undefined if the note says something else. */
export function ownerIn(note: string): LogOwner | undefined {
  const [, member, task] = NOTE.exec(note) ?? [];
  return member === undefined ? undefined : { member, ...defined({ task: task === undefined ? undefined : Number(task) }) };
}
