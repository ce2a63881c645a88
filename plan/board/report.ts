import type { BoardMessage } from './message';
import type { BoardResult } from './request';
import type { NewTask } from './task';

/**
 * What a member that is a program answers at the end of a WORK, in place of calls of tools. It names neither its sender nor a task that
 * ends: both are those of the WORK. Texts are their beginnings; longer ones are in the store.
 */
export interface MemberReport {
  status: ReportStatus;
  /** The result of a task that is done, or why the task goes back. */
  said: BoardResult;
  /** All of them are created, or none. */
  tasks?: NewTask[];
  messages?: ReportedMessage[];
}

/** `blocked` and `failed` give the task back to the board. */
export const REPORT_STATUSES = ['done', 'blocked', 'failed'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

export type ReportedMessage = Pick<BoardMessage, 'to' | 'content' | 'whole' | 'characters'>;
