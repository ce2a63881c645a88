import type { GateView } from '../people/gate';
import type { Letter } from '../people/letter';
import type { RunState } from './status';

/** What lists and the inbox read without a query. Each execution passes it to the next. */
export interface RunMemo {
  state: RunState;
  owner?: string;
  /** For a child pipeline: its parent's workflow id, whose inbox shows its gates. A run removes what others wrote here. */
  parent?: string;
  /** When the first execution started, ISO 8601: for a later one the server lists its own start. Absent in the first. */
  startedAt?: string;
  gates: Omit<GateView, 'shown' | 'ballot' | 'delegates'>[];
  /** The newest ones, oldest first; `step` is the short address of where they come from. Absent: none. */
  letters?: (Letter & { step: string })[];
}

/** Memos are small: an execution carries its memo in its history. */
export const MEMO_LETTERS = 10;

export const RUN_MEMO_KEYS = ['state', 'owner', 'parent', 'gates', 'letters'] as const satisfies readonly (keyof RunMemo)[];
