import { duration } from '../../plan/text/duration';
import type { RunLife } from './run-life';
import type { WorktreeRecord } from './worktree-record';

/**
 * What becomes of a worktree. Pure. Invariants: 1. nothing is removed that a run may still need: what is not known is kept; 2. nothing is
 * removed that belongs to another host, store or namespace.
 */
export interface Judgement {
  state: WorktreeState;
  why: string;
  remove: boolean;
}

const WORKTREE_STATES = ['in use', 'left over', 'kept', 'another’s', 'unclear'] as const;
export type WorktreeState = (typeof WORKTREE_STATES)[number];

/** The owner whose worktrees are examined. */
export interface Whose {
  host: string;
  storeId: string;
  namespace: string;
}

export interface JudgeFacts {
  /** Absent: the server could not be asked, or the run's ledger could not be read. */
  life?: RunLife;
  /** Since when it is known that another host has taken it over. */
  takenMs?: number;
  /** The store of the run is not there any more. */
  storeGone?: true;
}

export interface JudgePolicy {
  nowMs: number;
  /** How long its run has to have ended, or another host to have it. */
  endedMs: number;
  /** How old a worktree of a run has to be that the server does not know. */
  unknownMs: number;
  /** A person has named the run: what it keeps is removed too. */
  named?: true;
}

export function judgeWorktree(record: WorktreeRecord, whose: Whose, facts: JudgeFacts, policy: JudgePolicy): Judgement {
  return ofAnother(record, whose, facts, policy) ?? ofOurRun(record, facts, policy);
}

function ofAnother(record: WorktreeRecord, whose: Whose, facts: JudgeFacts, { named }: JudgePolicy): Judgement | undefined {
  const anothers = (why: string): Judgement => ({ state: 'another’s', why, remove: false });
  if (record.host !== whose.host) return anothers(`it belongs to the host ${record.host}`);
  if (record.storeId !== whose.storeId) {
    if (!facts.storeGone) return anothers(`its run belongs to the state folder ${record.storeId}`);
    return { state: 'left over', why: `the state folder ${record.storeId} of its run is gone`, remove: named === true };
  }
  return record.namespace === whose.namespace ? undefined : anothers(`its run belongs to the namespace ${record.namespace}`);
}

function ofOurRun(record: WorktreeRecord, { life, takenMs }: JudgeFacts, { nowMs, endedMs, unknownMs, named }: JudgePolicy): Judgement {
  const over = (sinceMs: number, leastMs: number, why: string): Judgement => {
    if (record.keep && !named) return { state: 'kept', why: `it is to be kept, or has changes that are no step’s; ${why}`, remove: false };
    return { state: 'left over', why, remove: nowMs - sinceMs >= leastMs };
  };
  const ago = (sinceMs: number): string => `${duration(Math.max(0, nowMs - sinceMs))} ago`;
  switch (life?.kind) {
    case undefined:
      return { state: 'unclear', why: 'nobody answers whether its run continues', remove: false };
    case 'ended':
      return over(life.atMs, endedMs, `its run ended ${ago(life.atMs)}`);
    case 'unknown': {
      const madeMs = Date.parse(record.createdAt);
      return over(madeMs, unknownMs, `the server does not know its run; it was made ${ago(madeMs)}`);
    }
    case 'open': {
      if (takenMs === undefined) return { state: 'in use', why: 'its run continues', remove: false };
      return { state: 'left over', why: 'another host has taken it over', remove: nowMs - takenMs >= endedMs };
    }
  }
}
