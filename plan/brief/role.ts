/** What an agent of a role team is told, and what it may do at most, whatever the brief authorises. */
export interface Role {
  id: string;
  /** One line: the planner reads it to give sub-tasks to roles. */
  description: string;
  /** Instructions that come after the brief. */
  promptOverlay: string;
  /** Categories of tools, and wildcards of them (`category.ts`). */
  toolCategories: readonly string[];
  /** Reads files even if `toolCategories` is without `filesystem_read`. */
  allowReadFile: boolean;
}

export const BUILT_IN_ROLE_IDS = ['planner', 'executor', 'reviewer', 'critic'] as const;
export type BuiltInRoleId = (typeof BUILT_IN_ROLE_IDS)[number];
