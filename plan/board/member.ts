import { LEAD } from './message';

/** Members of a team that works from a board. */

export const MEMBER_STATUSES = ['working', 'idle', 'shutdown', 'failed'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** Names of members, in tools and commands. */
export const MEMBER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

/** What is wrong with any other. */
export const MEMBER_NAME_RULE = `a name has 1 to 40 letters, digits, ".", "_" or "-", begins with a letter or digit, and is not "${LEAD}"`;

export const DEFAULT_MEMBERS = 8;
export const MOST_MEMBERS = 20;

/**
 * How a WORK ends: the model calls no more tools, calls `idle`, has had `max_turns` replies, claims a task that has a WORK of its own, or
 * has used up the budget of its task.
 */
export type WorkEnd = 'stopped' | 'idle' | 'cap' | 'claimed' | 'spent';
