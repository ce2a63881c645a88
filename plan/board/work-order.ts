import type { TaskNumber } from './task';

/** How a WORK begins. */
export interface WorkOrder {
  /** The turn of the part: unique in the board. */
  number: number;
  begins: 'spawn' | 'task' | 'inbox' | 'reminder' | 'board';
  /** The task that it begins with. */
  task?: TaskNumber;
  /** The open tasks that it reminds of: they go back if they are still open at its end. */
  reminds?: TaskNumber[];
  /** The task in whose worktree it works. Absent: in none. */
  worktree?: TaskNumber;
  /** The messages that it begins with, by id: they stay in the inbox until the turn with them is recorded. */
  messages?: string[];
}
