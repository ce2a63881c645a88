/** Members of a team that works from a board. */

export const MEMBER_STATUSES = ['working', 'idle', 'shutdown', 'failed'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** Names of members, in tools and commands. */
export const MEMBER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

export const DEFAULT_MEMBERS = 8;
export const MOST_MEMBERS = 20;

/**
 * How a WORK ends: the model calls no more tools, calls `idle`, has had `max_turns` replies, or claims a task with a worktree of its own.
 */
export type WorkEnd = 'stopped' | 'idle' | 'cap' | 'claimed';
