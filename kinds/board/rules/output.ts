import { WHOLE_RESULT } from '../../../plan/board/task';
import type { Json } from '../../../plan/text/json';

/** The fields of what a board puts out: the compiler knows them by these lists, and the step fills them in by their types. */

export const BOARD_FIELDS = ['team', 'end', 'tasks', 'members', 'messages', 'earlier'] as const;

/**
 * Every task, done or not. Times are ISO 8601; `tokens` and `cost`, in dollars, are those of all its attempts: null if it is unknown. If
 * there is no room for the whole of a long result, `result` is its beginning, and `result_whole` names it in the store.
 */
export const TASK_FIELDS = [
  ...(['number', 'name', 'subject', 'status', 'owner', 'required_role', 'blocked_by', 'priority'] as const),
  ...(['created_by', 'created_at', 'claimed_at', 'claim_source', 'ended_at', 'attempts', 'returned', 'result', 'tokens', 'cost'] as const),
  ...(['worktree', 'commit', WHOLE_RESULT] as const),
] as const;

export const MEMBER_FIELDS = ['name', 'role', 'agent', 'status', 'works', 'reason'] as const;

/** Messages that reached nobody, and why. */
export const REFUSED_FIELDS = ['from', 'to', 'type', 'at', 'reason'] as const;

export type Row<Fields extends readonly string[]> = { [Field in Fields[number]]?: Json | undefined };
