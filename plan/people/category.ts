import type { ArtifactRef } from '../run/artifact';

/** What nobody and nothing does without a person's yes (protocol.md point 9). */
export const CATEGORIES = ['execute_strategy', 'deploy', 'database_schema', 'advertise', 'message_outside', 'move_money'] as const;
export type Category = (typeof CATEGORIES)[number];

/**
 * A person's answer to one action of a category. Bound to the run by its ledger, to the category, and to the content by its
 * digest; `id` is used up by the action it is for.
 */
export interface RecordedApproval {
  /** `<address>/approval-<n>`: unique in the run. */
  id: string;
  category: Category;
  /** SHA-256 of exactly what is to be done. */
  contentSha256: string;
  approved: boolean;
  by?: string;
  comment?: string;
}

/** What an agent, or a step, wants to do and may not without an approval. */
export interface ApprovalNeed {
  category: Category;
  /** One line: `transfer {"amount": 5}`. */
  summary: string;
  contentSha256: string;
  /** The whole of it, to be shown. */
  content: ArtifactRef;
}
