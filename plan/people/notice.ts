import type { EarlierAdvice } from '../steps/escalation';
import type { CommentRule } from './decision-policy';
import type { GateKind } from './gate';

/** A message to a channel, and, where it is about a gate, what a person needs to answer it from there. */
const NOTICE_KINDS = ['message', 'gate', 'reminder', 'closed', 'error'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The gate that a notice of kind `gate` or `reminder` asks about. */
export interface GateNotice {
  /** Short address. */
  step: string;
  /** What people call the item of the loop that the step is within. */
  item?: string;
  gate: GateKind;
  question: string;
  choices: readonly string[];
  shownSha256: string;
  approvers?: readonly string[];
  /** Who has voted, and who may not: neither is asked. */
  approvedBy?: readonly string[];
  notBy?: readonly string[];
  /** When a decision must come with a comment. */
  comment?: CommentRule;
  /** A claimed name is not enough. */
  identity?: 'proven';
  /** Who started the run, where that bears on who may decide, and whether anybody can. */
  note?: string;
  /** Of an escalation: what those before in the chain have said. The question says it, too. */
  said?: readonly EarlierAdvice[];
  /** ISO 8601. */
  deadline?: string;
  /** The line of the plain Temporal CLI that answers it. Absent: a plain signal proves nothing, and would be refused. */
  answer?: string;
}
