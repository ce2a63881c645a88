import type { ArtifactRef } from '../run/artifact';

/** Categories of action that need a person's approval, no matter who performs them (docs/protocol.md, 4.7). */
export const CATEGORIES = ['execute_strategy', 'deploy', 'database_schema', 'advertise', 'message_outside', 'move_money'] as const;
export type Category = (typeof CATEGORIES)[number];

/**
 * A person's answer to one action of a category. It is bound to the run by its ledger, to the category, and to the content by its digest;
 * the action it is for uses `id` up.
 */
export interface RecordedApproval {
  /** `<address>/approval-<n>`: unique in the run. */
  id: string;
  category: Category;
  /** SHA-256 of exactly what is going to be done. */
  contentSha256: string;
  approved: boolean;
  by?: string;
  comment?: string;
}

/** An action that an agent, or a step, may not perform without an approval. */
export interface ApprovalNeed {
  category: Category;
  /** One line: `transfer {"amount": 5}`. */
  summary: string;
  contentSha256: string;
  /** The whole content, for display. */
  content: ArtifactRef;
}
