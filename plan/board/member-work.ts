import type { BudgetShort } from '../budgets/budget';
import type { ArtifactRef } from '../run/artifact';
import type { MemberStatus, WorkEnd } from './member';
import type { MemberReport } from './report';
import type { TaskNumber } from './task';

/** The member that the activity of an agent works as, for one WORK. */
export interface MemberWork {
  name: string;
  role?: string;
  team: string;
  isLead?: true;
  /** The task that it begins with. */
  task?: TaskNumber;
  /** The member's conversation before this WORK, by its heads (`activities/agent/owner-context.ts`). */
  context: ArtifactRef[];
  /** The log of the run's ledger with messages that come for it during this WORK. */
  inbox: string;
  /** The replies that this WORK may have. More are no failure: the WORK ends, and says so. */
  maxTurns: number;
  /** When this WORK began, ISO 8601. Absent: the day of its run is the one that counts. */
  begunAt?: string;
  /** Who was in the team when this WORK began. */
  others: { name: string; role?: string; status: MemberStatus; isLead?: true }[];
  /** The agents that it may spawn, for a lead. */
  spawns?: string[];
}

/** What a WORK leaves: the member's conversation with it, how it ended, and what a program has answered. */
export interface MemberTurn {
  context?: ArtifactRef;
  end?: WorkEnd;
  /** At the end `spent`: what it would have needed to go on. */
  short?: BudgetShort;
  report?: MemberReport;
}
