/** How many engineers work at once at most, by the kind of work. */
export const TASK_TYPES = ['paperbench', 'commit0', 'general'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

export const ENGINEERS_OF: Readonly<Record<TaskType, number>> = { paperbench: 2, commit0: 4, general: 3 };
/** Beyond this, coordination costs more than it brings. */
export const MOST_ENGINEERS = 8;

/**
 * Who verifies a candidate. The first three are the strategies that the paper compares. `self`: its engineer, then the tests of the merged
 * tree. `manager`, `human`: that one as well, before these tests. `efficient`: its engineer alone if the merged tree is the one that it has
 * tested. `gate`: `self` by another name.
 */
export const VERIFY_POLICIES = ['self', 'manager', 'efficient', 'human', 'gate'] as const;
export type VerifyPolicy = (typeof VERIFY_POLICIES)[number];
/** The default: engineers verify themselves, without repeated reviews by the manager. */
export const DEFAULT_VERIFY: VerifyPolicy = 'self';

/** How engineers are kept apart. `shared`: by words alone, in one checkout; `single`: there is only one. Both exist for comparison. */
export const ISOLATIONS = ['worktree', 'shared', 'single'] as const;
export type Isolation = (typeof ISOLATIONS)[number];

/** As many as the skill gives a whole team (docs/caid.md). */
export const DEFAULT_ROUNDS = 22;
/** How often a task goes back to its author before it goes to one owner, and after as many returns to a person. */
export const DEFAULT_RETURNS = 3;
