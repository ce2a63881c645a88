import type { ArtifactRef } from '../run/artifact';
import type { ListedTask } from './board-lines';
import type { MemberStatus } from './member';
import type { MessageToPerson } from './message';
import type { BoardResult } from './request';
import type { ClaimSource, ReturnedTask } from './task';

/** A board in full, as the query `boards` of a run answers it. Times are ISO 8601. */
export interface BoardDetails {
  /** Short address of its step. */
  step: string;
  team: string;
  /** How it has ended. Absent: it has not. */
  over?: 'done' | 'unfinished' | 'stopped';
  draining?: true;
  completed: number;
  total: number;
  /** Open ones, and the last of the completed ones; by number. */
  tasks: TaskDetails[];
  members: MemberDetails[];
  /** The unread messages of the member that was asked for; of `lead`, who is a person, the last ones. */
  inbox?: MessageToPerson[];
}

export interface TaskDetails extends ListedTask {
  priority?: number;
  description?: ArtifactRef;
  created_by: string;
  created_at: string;
  claimed_at?: string;
  claim_source?: ClaimSource;
  ended_at?: string;
  /** How often it was claimed. */
  attempts: number;
  /** Who gave it back last, and why. */
  returned?: ReturnedTask;
  result?: BoardResult;
  /** What all attempts have used. Absent: nothing was paid for. */
  tokens?: number;
  /** In dollars, of all attempts; null if some of it is unknown. Absent: nothing was paid for. */
  cost?: number | null;
}

export interface MemberDetails {
  name: string;
  role?: string;
  agent: string;
  lead?: true;
  status: MemberStatus;
  since: string;
  /** When it shuts down if nothing comes. */
  until?: string;
  unread: number;
  works: number;
  reason?: string;
}

/** The argument of the query: whose messages are in the answer. */
export interface BoardQuery {
  inbox?: string;
}
