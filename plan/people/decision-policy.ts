const TIMEOUT_OUTCOMES = ['approve', 'reject', 'escalate', 'conservative'] as const;
export type TimeoutOutcome = (typeof TIMEOUT_OUTCOMES)[number];

/** When a decision must come with a comment. */
export const COMMENT_RULES = ['on_reject', 'always'] as const;
export type CommentRule = (typeof COMMENT_RULES)[number];

/** Who may answer a gate, and how. */
export interface WhoDecides {
  channel?: string;
  /** Who may decide; groups are expanded. Absent: anyone. */
  approvers?: readonly string[];
  /** The way the answer came must prove who gave it; a plain signal proves nothing. Absent: a claimed name is enough. */
  identity?: 'proven';
  /** How often a reminder goes to the channel until somebody decides. */
  remindMs?: number;
}

/** The decision policy of a gate at which a person says yes or no. */
export interface DecisionPolicy extends WhoDecides {
  /** People who must approve. @default 1 */
  quorum?: number;
  /** Neither the owner nor the person who started the run may decide. */
  fourEyes?: true;
  /** Absent: none is needed. */
  comment?: CommentRule;
  /** Absent: `wait`. */
  onTimeout?: TimeoutOutcome;
}
